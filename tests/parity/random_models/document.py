"""What a random document is made of: elements, files, objects that others may refer to."""

import copy
import dataclasses
import pathlib
import random


@dataclasses.dataclass
class Node:
    """An element."""

    tag: str
    attributes: dict = dataclasses.field(default_factory=dict)
    children: list = dataclasses.field(default_factory=list)

    def add(self, tag, attributes=None):
        self.children.append(Node(tag, dict(attributes or {})))
        return self.children[-1]

    def text(self, indent=0, odd=None):
        """The XML; `odd` is a random generator that makes it look unusual."""
        pad = "  " * indent
        quote = '"' if odd is None or odd.random() < 0.8 else "'"
        escape = {"&": "&amp;", "<": "&lt;", quote: "&quot;" if quote == '"' else "&apos;"}
        if odd:
            escape |= {"ö": "&#246;", "x": odd.choice(("x", "&#x78;"))}
        parts = [f"{n}={quote}{''.join(escape.get(c, c) for c in v)}{quote}" for n, v in self.attributes.items()]
        gap = " " if odd is None else odd.choice((" ", "  ", "\n\t"))
        attributes = "".join(gap + part for part in parts)
        note = f"{pad}<!-- -x- <{self.tag}> -->\n" if odd and odd.random() < 0.1 else ""
        if not self.children:
            end = "/>" if odd is None or odd.random() < 0.8 else f"></{self.tag}>"
            return f"{note}{pad}<{self.tag}{attributes}{end}\n"
        inside = "".join(child.text(indent + 1, odd) for child in self.children)
        return f"{note}{pad}<{self.tag}{attributes}>\n{inside}{pad}</{self.tag}>\n"

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


@dataclasses.dataclass
class Document:
    files: dict  # path relative to the folder: root Node; the main file comes first
    odd: int | None = None  # seed of unusual XML
    data: dict = dataclasses.field(default_factory=dict)  # path: bytes of other files

    @property
    def main(self):
        return next(iter(self.files))

    def write(self, folder):
        """Writes all files; returns the path of the main one."""
        for name, root in self.files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.file_text(root), encoding="utf-8")
        for name, content in self.data.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return str(pathlib.Path(folder, self.main))

    def file_text(self, root):
        if self.odd is None:
            return root.text()
        return '<?xml version="1.0" encoding="utf-8"?>\n' + root.text(0, random.Random(self.odd))

    def text(self):
        if len(self.files) == 1:
            return self.file_text(self.files[self.main])
        return "".join(f"<!-- {name} -->\n{self.file_text(root)}" for name, root in self.files.items())

    def copy(self):
        return copy.deepcopy(self)


@dataclasses.dataclass
class Known:
    """A named object that others may refer to."""

    name: str
    scope: tuple = ()  # replicates around it
    type: str = ""  # of a joint or geom
    limited: bool = False
    body: int = 0  # serial number of its body


@dataclasses.dataclass
class Place:
    """Where in the tree an element stands."""

    klass: str = "main"
    scope: tuple = ()
    depth: int = 0  # of bodies
    body: int = 0  # serial number of the body
    static: bool = True  # nothing above moves
    frames: int = 0  # frames and replicates around, inside the body
    grow: float = 1.0  # how likely further content is
