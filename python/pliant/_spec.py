"""MjSpec: models built and changed in Python, under MuJoCo's names.

The model itself is C++ (include/pliant/edit.h); attributes of elements come from its table, which is made from the
schema of MJCF. Here are the names: what mjSpec says in another way is translated, values are checked (_spec_fields.py),
elements get their methods (_spec_elements.py).
"""

import os
import time
import warnings
import zipfile
from xml.etree import ElementTree

import numpy as np

from . import _enums as E
from . import _pliant
from ._pliant import LoadError
from ._spec_copy_back import copy_back
from ._spec_elements import (
    CLASSES,
    KINDS,
    MODELS,
    TREE_KINDS,
    WITH_DEFAULTS,
    MjCharVec,
    MjDoubleVec,
    MjFloatVec,
    MjIntVec,
    MjsCompiler,
    MjsDefault,
    MjsElement,
    MjsOrientation,
    MjsTendonPath,
    MjStringVec,
    MjsWrap,
    forget_rest,
    frame_at,
    keep_rest,
    set_alt,
)
from ._spec_errors import with_reference_words
from ._spec_fields import made_with, name_text
from ._spec_settings import MjsAuthored, authored_by
from ._spec_unsupported import MjsFlex, MjsPlugin, Unsupported

# ---- files in memory -----------------------------------------------------------------------------


class MjVfs:
    """Files in memory, by name: what a model names is looked for here first."""

    def __init__(self):
        self._files = {}

    def _open(self):
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def __setitem__(self, name, content):
        files = self._open()
        name = name_text(name, "name")
        if isinstance(content, str):
            content = content.encode()
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise TypeError(f"the content of a file should be bytes, not {type(content).__name__}")
        if name in files:
            raise ValueError(f"the file {name!r} is there already; delete it first")
        files[name] = bytes(content)

    def __delitem__(self, name):
        files = self._open()
        if name not in files:
            raise KeyError(name)
        del files[name]

    def __contains__(self, name):
        return name in self._open()

    def close(self):
        """Forgets all files; nothing can be done with it afterwards."""
        self._files = None

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *error):
        self.close()


def _as_bytes(assets):
    files = {}
    for name, content in (assets or {}).items():
        name = os.path.normpath(name_text(name, "the name of a file"))
        files[name] = content.encode() if isinstance(content, str) else bytes(content)
    return files


def files_of(assets, vfs):
    """Files in memory from a dict or an MjVfs; None for none."""
    if vfs is not None:
        if assets:
            raise ValueError("give files either as assets or as an MjVfs, not both")
        return dict(vfs._open()) or None
    places = {}
    for path in assets or {}:
        name = name_text(path, "the name of a file").replace("\\", "/").rpartition("/")[2]
        if places.setdefault(name, path) != path:
            raise ValueError(
                f"Repeated file name in assets: {path!r} and {places[name]!r}; folders do not tell them apart"
            )
    return _as_bytes(assets) or None


def declared_plugins(error, files, path=None, xml=None):
    """Instances of plugins that a model declares in <extension>, when they are all that is wrong with it: an MjSpec can
    hold them until they are deleted. Otherwise none."""
    wrong = [finding for finding in error.diagnostics if finding.severity == "error"]
    if not wrong or any(finding.code != "E501" or finding.element != "plugin" for finding in wrong):
        return []
    if xml is None:
        content = files.get(os.path.basename(path), None)
        if content is None:
            with open(path, "rb") as file:
                content = file.read()
        xml = content.decode()
    declared = ElementTree.fromstring(xml).findall("extension/plugin")
    if len(declared) != len(wrong):  # some element uses one, or an included file has some
        return []
    found = []
    for plugin in declared:
        for instance in plugin.findall("instance") or [ElementTree.Element("instance")]:
            config = {entry.get("key", ""): entry.get("value", "") for entry in instance.findall("config")}
            found.append(MjsPlugin._make(name=instance.get("name", ""), plugin_name=plugin.get("plugin", ""),
                                         config=config))  # fmt: skip
    return found


# ---- models --------------------------------------------------------------------------------------


class MjSpec(_pliant.SpecTree):
    """A model to build and to change; compile() makes an MjModel of it."""

    def __init__(self):
        super().__init__()
        self._prepare()

    def _prepare(self):
        self._assets = {}
        self._addresses = {}
        self._unsupported = Unsupported()
        self._authored = MjsAuthored()
        self._warnings = []
        self._kept_compiler = self.compiler  # what Python has added to it stays with it
        self.comment = ""
        self.override_assets = True
        self.copy_during_attach = False
        self.hasImplicitPluginElem = False
        self.timer = np.zeros(9)
        MODELS[self._address] = self
        forget_rest(self._address)

    def __del__(self):
        if hasattr(self, "_unsupported"):
            keep_rest(self)

    @classmethod
    def _of(cls, tree):
        self = cls.__new__(cls)
        _pliant.SpecTree.__init__(self, tree)
        self._prepare()
        return self

    # -- files --

    @classmethod
    def _load(cls, include, assets, vfs, **source):
        files = dict(vfs._open()) if vfs is not None else {}
        files.update(_as_bytes(include))
        files.update(_as_bytes(assets))
        try:
            tree, plugins = _pliant.SpecTree._load(assets=files or None, **source), []
        except LoadError as error:
            plugins = declared_plugins(error, files, **source)
            if not plugins:
                raise
            tree = _pliant.SpecTree._load(assets=files or None, allow_unsupported=True, **source)
        self = cls._of(tree)
        self._unsupported.plugins = plugins
        self._authored, self.compiler.authored = authored_by(tree._read)
        self._assets = dict(assets or {})
        return self

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """Reads a model; `include` and `assets` are files in memory by name."""
        filename = os.fspath(filename)
        return MjSpec._load(include, assets, vfs, path=filename.decode() if isinstance(filename, bytes) else filename)

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """Reads a model given as text."""
        return MjSpec._load(include, assets, vfs, xml=name_text(xml, "xml"))

    @staticmethod
    def from_zip(file):
        """Reads a model from an archive with one XML file and the files it names."""
        return from_zip(file)

    def to_zip(self, file):
        """Writes the model and its assets as an archive."""
        return to_zip(self, file)

    @property
    def assets(self):
        """files in memory, by name"""
        return self._assets

    @assets.setter
    def assets(self, value):
        self._assets = value

    def _files(self, vfs):
        if vfs is None:
            return _as_bytes(self._assets)
        files = vfs._open()
        if self._assets:
            raise ValueError("give files either as spec.assets or as an MjVfs, not both")
        return dict(files)

    def to_xml(self):
        """The model as MJCF, in the form that the reference writes."""
        self._unsupported.refuse()
        return self._write(reference_form=True)

    def to_file(self, filename):
        """Writes the model as an MJCF file."""
        with open(filename, "w") as file:
            file.write(self.to_xml())

    def encode(self, filename, model=None, content_type=None):
        """Writes the model as a file of the kind that its name says; returns the number of bytes."""
        if not os.fspath(filename).endswith(".xml"):
            raise _pliant.FatalError(f"there is no encoder for '{filename}'; models are written as .xml")
        self.to_file(filename)
        return os.path.getsize(filename)

    # -- compiling --

    def _remember(self, model):
        """Where the state of every element is, for recompile."""
        self._compiled_as(model.signature)
        joints, bodies, actuators = {}, {}, {}
        for joint, start, dof in zip(self._elements("joint"), model.jnt_qposadr, model.jnt_dofadr):
            joints[joint._address] = (int(start), int(dof))
        if len(self._elements("body")) == model.nbody:
            for body, mocap in zip(self._elements("body"), model.body_mocapid):
                if mocap >= 0:
                    bodies[body._address] = int(mocap)
        for index, actuator in enumerate(self._elements("actuator")[: model.nactuator]):
            actuators[actuator._address] = index
        self._addresses = {"joints": joints, "bodies": bodies, "actuators": actuators}

    def compile(self, vfs=None):
        """The compiled model."""
        from .mujoco import MjModel

        self._unsupported.refuse()
        start = time.perf_counter()
        try:
            model = MjModel._make(self._compile(self._files(vfs) or None))
        except LoadError as error:
            raise with_reference_words(error) from None
        self.timer[:] = time.perf_counter() - start
        for text in self._warnings:
            warnings.warn(text, stacklevel=2)
        for finding in model.diagnostics:
            warnings.warn(finding.text, stacklevel=2)
        self._remember(model)
        return model

    def recompile(self, m, d, vfs=None):
        """A new model, and data with the state of what was there before."""
        from .mujoco import MjData, mj_forward

        before = self._addresses
        if not before:
            raise ValueError("recompile: the model was not compiled from this MjSpec")
        model = self.compile(vfs)
        data, after = MjData(model), self._addresses
        data.time = d.time
        sizes = {int(kind): (positions, velocities)
                 for kind, (_, positions, velocities) in enumerate(_pliant.joint_types())}  # fmt: skip
        for index, (address, (start, dof)) in enumerate(after["joints"].items()):
            if address not in before["joints"]:
                continue
            old, old_dof = before["joints"][address]
            nq, nv = sizes[int(model.jnt_type[index])]
            if old + nq > m.nq or old_dof + nv > m.nv:
                continue
            data.qpos[start : start + nq] = d.qpos[old : old + nq]
            data.qvel[dof : dof + nv] = d.qvel[old_dof : old_dof + nv]
            data.qacc_warmstart[dof : dof + nv] = d.qacc_warmstart[old_dof : old_dof + nv]
            data.qfrc_applied[dof : dof + nv] = d.qfrc_applied[old_dof : old_dof + nv]
        for address, mocap in after["bodies"].items():
            if address in before["bodies"]:
                old = before["bodies"][address]
                data.mocap_pos[mocap], data.mocap_quat[mocap] = d.mocap_pos[old], d.mocap_quat[old]
        for address, index in after["actuators"].items():
            if address in before["actuators"]:
                new, old = model.actuator(index), m.actuator(before["actuators"][address])
                _copy_range(data.ctrl, new.ctrladr[0], new.ctrlnum[0], d.ctrl, old.ctrladr[0], old.ctrlnum[0])
                _copy_range(data.act, new.actadr[0], new.actnum[0], d.act, old.actadr[0], old.actnum[0])
        mj_forward(model, data)
        return model, data

    def copy(self):
        """A model of its own with equal elements."""
        other = MjSpec._of(self._copy())
        other._assets = dict(self._assets)
        other.comment = self.comment
        other._warnings = list(self._warnings)
        other._authored = MjsAuthored(self._authored)
        other.compiler.authored = self.compiler.authored
        self._unsupported.copy_into(self, other)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    # -- editing --

    def add_default(self, name, parent=None):
        """A new default class, below `parent`, or below main."""
        return self._add_default(name_text(name, "name"), parent)

    def delete(self, element):
        """Removes an element or default class, with all that stands inside it or refers to it."""
        if isinstance(element, MjsDefault):
            return self._remove_default(element)
        for listed in (self._unsupported.plugins, self._unsupported.flexes):
            if any(one is element for one in listed):
                listed[:] = [one for one in listed if one is not element]
                return None
        return self._remove(element)

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Moves the whole of another model to a frame or site of this one. Its names get the prefix, "/" if none is
        given, and the suffix."""
        if (site is None) == (frame is None):
            raise ValueError("attach: give either a frame or a site")
        if isinstance(frame, (str, bytes)):
            frame = self.frame(name_text(frame, "frame"))
            if frame is None:
                raise ValueError("Frame not found.")
        if isinstance(site, (str, bytes)):
            site = self.site(name_text(site, "site"))
            if site is None:
                raise ValueError("Site not found.")
        prefix, suffix = "/" if prefix is None else prefix, suffix or ""
        take = self._plan_assets(child, prefix, suffix)
        made = frame is None
        if made:
            frame = frame_at(site)
        if self.copy_during_attach and child._unsupported.uses:
            child._unsupported.refuse()
        try:
            new = self._attach(child, frame, prefix, suffix, self.copy_during_attach)
        except Exception:
            if made:
                self._remove(frame)
            raise
        take()
        self._unsupported.add(child._unsupported)
        if not prefix and not suffix:
            self._warnings.append(
                "a model was attached without prefix and suffix: in MuJoCo this may prevent the model from being saved"
                " correctly (Pliant keeps its default classes apart)"
            )
        return new

    def _plan_assets(self, child, prefix, suffix):
        """Files in memory of an attached model come along under new names; a function that does it."""
        names = {}
        for key in child._assets:
            folder, _, file = key.rpartition("/")
            stem, dot, extension = file.rpartition(".")
            new = prefix + (stem if dot else file) + suffix + (dot + extension if dot else "")
            if folder:
                new = f"{folder}/{new}" if prefix else f"{folder}//{new}"
            if not isinstance(child, MjSpec):  # the model is gone, and with it who uses the file
                new = key
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {key} already exists in parent spec.")
            names[key] = new
        assets = dict(child._assets)
        users = [asset for kind in ("mesh", "hfield", "texture", "skin") for asset in child._elements(kind)]

        def take():
            self._assets = {**self._assets, **{names[key]: content for key, content in assets.items()}}
            for asset in users:
                if asset.file in names:
                    asset.file = names[asset.file]

        return take

    @property
    def parent(self):
        """the model that this one was attached to, or None"""
        address = self._parent_address
        if not address:
            return None
        found = MODELS.get(address)
        if found is None:
            found = MjSpec._of(self._parent())
            found._unsupported.add(self._unsupported)
        return found

    def __eq__(self, other):
        return isinstance(other, MjSpec) and self._address == other._address

    def __hash__(self):
        return hash(self._address)

    def __repr__(self):
        return f"<MjSpec {self.modelname!r}>"

    # -- whole models --

    def adopt_inertial(self, body, vfs=None):
        """Gives a body the inertia that it has in the compiled model, so that it no longer follows its geoms."""
        if self.compiler.inertiafromgeom == E.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
            raise ValueError("adopt_inertial: under inertiafromgeom = true a body has the inertia of its geoms")
        model = self.compile(vfs)
        self._adopt(body, model, body.id)

    @staticmethod
    def _adopt(body, model, index):
        body.mass = float(model.body_mass[index])
        body.ipos, body.iquat, body.inertia = model.body_ipos[index], model.body_iquat[index], model.body_inertia[index]
        body.ialt.type = E.mjtOrientation.mjORIENTATION_QUAT
        body.fullinertia[0] = np.nan
        body.explicitinertial = True

    def fuse_static(self, vfs=None):
        """Makes frames of bodies that cannot move against their parents and that nothing names; returns how many."""
        if vfs is not None:
            vfs._open()
        fused, named = 0, self._named_bodies()
        for body in reversed(self._elements("body")[1:]):
            keeps = body.mocap or body.explicitinertial or not body.fuse or body._children("joint")
            if keeps or (body.name and body.name in named):
                continue
            body._to_frame()
            fused += 1
        return fused

    def _named_bodies(self):
        named = set()
        for exclude in self._elements("exclude"):
            named |= {exclude.bodyname1, exclude.bodyname2}
        for equality in self._elements("equality"):
            if equality.objtype == E.mjtObj.mjOBJ_BODY:
                named |= {equality.name1, equality.name2}
        for sensor in self._elements("sensor"):
            named |= {sensor.objname, sensor.refname}
        for actuator in self._elements("actuator"):
            if actuator.trntype == E.mjtTrn.mjTRN_BODY:
                named.add(actuator.target)
        for viewer in [*self._elements("camera"), *self._elements("light")]:
            named.add(viewer.targetbody)
        for group in self._elements("tuple"):
            named |= set(group.objname)
        for skin in self._elements("skin"):
            named |= set(skin.bodyname)
        return named

    def discard_visual(self, vfs=None):
        """Removes geoms that collide with nothing, materials and textures; inertias stay. Returns how many."""
        if vfs is not None:
            vfs._open()
        named = {name for pair in self._elements("pair") for name in (pair.geomname1, pair.geomname2)}
        named |= {name for sensor in self._elements("sensor") for name in (sensor.objname, sensor.refname)}
        named |= {name for group in self._elements("tuple") for name in group.objname}
        named |= {wrap[1] for tendon in self._elements("tendon") for wrap in _pliant._tendon_path(tendon)}
        visual = [geom for geom in self._elements("geom")
                  if not geom.contype and not geom.conaffinity and not (geom.name and geom.name in named)]  # fmt: skip
        model = self.compile(vfs) if visual else None
        bodies = {geom.parent._address: geom.parent for geom in visual if geom.parent.id > 0}
        forced = self.compiler.inertiafromgeom == E.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
        if forced and bodies:
            raise ValueError("discard_visual: under inertiafromgeom = true bodies would lose the mass of their geoms")
        for body in bodies.values():
            if not body.explicitinertial:
                self._adopt(body, model, body.id)
        assets = [*self._elements("material"), *self._elements("texture")]
        for element in [*visual, *assets]:
            self._remove(element)
        if assets:
            users = ("geom", "site", "tendon", "skin", "mesh")
            for user in [element for kind in users for element in self._elements(kind)]:
                user.material = ""
            for light in self._elements("light"):
                light.texture = ""
        return len(visual) + len(assets)

    def dedup_assets(self):
        """Keeps one of equal textures, and of equal meshes; returns how many were removed."""
        if self._attached_whole:
            raise ValueError("Cannot merge the assets of an attached mjSpec.")
        removed = 0
        for kind in ("texture", "mesh"):
            kept = {}
            for asset in self._elements(kind):
                key = _content(asset)
                if key not in kept:
                    kept[key] = asset
                    continue
                self._rename_uses(kind, asset.name, kept[key].name)
                self._remove(asset)
                removed += 1
        return removed

    def _rename_uses(self, kind, old, new):
        if kind == "texture":
            for material in self._elements("material"):
                material.textures = [new if name == old else name for name in material.textures]
            for light in self._elements("light"):
                light.texture = new if light.texture == old else light.texture
            return
        for user in [*self._elements("geom"), *self._elements("site")]:
            user.meshname = new if user.meshname == old else user.meshname

    def copy_back(self, model):
        """Writes what was changed in a compiled model into the elements that it came from; a ValueError, and nothing is
        written, where they cannot express it."""
        copy_back(self, model)

    # -- settings --

    @property
    def authored(self):
        """which settings a file has given, as bits"""
        return self._authored

    meshdir = property(lambda self: self.compiler.meshdir, lambda self, v: setattr(self.compiler, "meshdir", v))
    texturedir = property(
        lambda self: self.compiler.texturedir, lambda self, v: setattr(self.compiler, "texturedir", v)
    )
    strippath = property(lambda self: self.compiler.strippath, lambda self, v: setattr(self.compiler, "strippath", v))
    modelfiledir = property(
        lambda self: self.compiler._model_dir, lambda self, v: setattr(self.compiler, "_model_dir", v)
    )
    nemax = 0

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion that an orientation means."""
        spec = MjSpec()
        spec.compiler.degree = bool(degree)
        if sequence is not None:
            spec.compiler.eulerseq = "".join(sequence)
        body = spec.worldbody.add_body()
        set_alt(body, orientation)
        return [float(value) for value in spec.compile().body_quat[1]]

    def activate_plugin(self, name):
        raise NotImplementedError(f"activate_plugin('{name}'): Pliant has no plugins")

    def add_plugin(self, **attributes):
        """An instance of a plugin, to edit and to delete; a model that has one does not compile."""
        self._unsupported.plugins.append(MjsPlugin._make(**attributes))
        return self._unsupported.plugins[-1]

    def add_flex(self, **attributes):
        """A deformable body, to edit and to delete; a model that has one does not compile."""
        self._unsupported.flexes.append(MjsFlex._make(**attributes))
        return self._unsupported.flexes[-1]

    plugins = property(lambda self: list(self._unsupported.plugins), doc="instances of plugins")
    flexes = property(lambda self: list(self._unsupported.flexes), doc="deformable bodies")

    def plugin(self, name):
        return next((one for one in self._unsupported.plugins if one.name == name_text(name, "name")), None)

    def flex(self, name):
        return next((one for one in self._unsupported.flexes if one.name == name_text(name, "name")), None)


def _content(asset):
    """What an asset is, apart from its name, to compare it with others."""
    values = []
    for name in type(asset)._SETTERS:
        value = getattr(asset, name)
        values.append((name, value if isinstance(value, (str, bytes, int, float)) else tuple(value)))
    return tuple(values)


def _copy_range(target, start, count, source, first, number):
    if count == number and start >= 0 and first >= 0:
        target[start : start + count] = source[first : first + number]


def _spec_adder(kind):
    def add(self, default=None, **attributes):
        element = self._add(kind, default) if kind in WITH_DEFAULTS else self._add(kind)
        return made_with(element, attributes, self._remove)

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; attributes as keyword arguments."
    return add


for _, _kind, _plural in KINDS:
    setattr(MjSpec, _kind, lambda self, name, kind=_kind: self._find(kind, name_text(name, "name")))
    setattr(MjSpec, _plural, property(lambda self, kind=_kind: self._elements(kind)))
    if _kind not in TREE_KINDS:
        setattr(MjSpec, f"add_{_kind}", _spec_adder(_kind))


class _Absent:
    """A kind of element that Pliant does not have: it exists by name, for isinstance and annotations."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__}: Pliant has no {self._WHAT}")


class MjByteVec(_Absent):
    _WHAT = "lists of bytes; bytes are bytes"


def to_zip(spec, file):
    """Writes a model and its assets as an archive."""
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}.items():
            archive.writestr(name, content)


def from_zip(file):
    """Reads a model from an archive with one XML file and the files it names."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"{file} is not a zip file")
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        models = [name for name in names if name.endswith(".xml")]
        if not models:
            raise ValueError("the archive has no XML file")
        folder = os.path.dirname(models[-1])
        assets = {os.path.relpath(name, folder or "."): archive.read(name) for name in names if name != models[-1]}
        return MjSpec.from_string(archive.read(models[-1]).decode(), assets=assets)


# ---- bind ----------------------------------------------------------------------------------------


class _Bound:
    """Rows of several elements at once."""

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = []
        for view in self._views:
            value = getattr(view, name)
            values += [value] if isinstance(value, (str, bytes)) or np.ndim(value) == 0 else list(value)
        return values

    def __setattr__(self, name, value):
        if np.ndim(value) == 0:
            raise ValueError(f"Expected {len(self._views)} values, got the number {value!r}")
        values = list(value)
        if len(values) != len(self._views):
            raise ValueError(f"Expected {len(self._views)} values, got {len(values)}")
        for view, item in zip(self._views, values):
            setattr(view, name, item)


def bind(owner, elements):
    """The rows of a model or of data that belong to elements of the MjSpec it was compiled from."""
    model = getattr(owner, "model", owner)
    single = isinstance(elements, MjsElement)
    views = []
    for element in [elements] if single else elements:
        if not isinstance(element, MjsElement):
            raise TypeError(f"bind: elements of an MjSpec are needed, not {type(element).__name__}")
        if not element._tree_address:
            raise IndexError("Invalid index -1: the element was removed from its MjSpec")
        if element.signature != model.signature:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        views.append(getattr(owner, element._kind)(element.id))
    return views[0] if single else _Bound(views)


NAMES = {
    value.__name__: value
    for value in (
        MjSpec, MjsElement, MjsCompiler, MjsDefault, MjsOrientation, MjsWrap, MjsTendonPath, MjsAuthored, MjsPlugin,
        MjsFlex, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec, MjCharVec, MjByteVec, MjVfs, to_zip, from_zip,
        *CLASSES.values(),
    )
}  # fmt: skip
