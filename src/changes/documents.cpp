// Changes that the file itself shows: elements that are gone, models that are refused, sensors, keyframes, mimic
// joints.

#include <algorithm>
#include <set>

#include "changes/changes.h"

namespace pliant::changes {
namespace {

std::string_view value_of(const Element& e, std::string_view name) {
  const Attribute* attribute = e.find(name);
  return attribute ? attribute->value : std::string_view{};
}

/// What is the matter with an element that 3.12 read and 4.0 has not; "" if nothing.
std::string gone(const Element& e, std::string_view parent) {
  if (e.tag == "composite") return "<composite> is gone; <flexcomp>, <replicate> and <attach> take its place";
  if (e.tag == "flexvert") return "<flexvert> is gone";
  if (e.tag == "plugin" && value_of(e, "plugin") == "mujoco.elasticity.cable") return "the cable plugin is gone";
  if (e.tag == "edge" && parent == "flexcomp" && value_of(e, "equality") == "vert") {
    return "equality=\"vert\" is gone; true, false and strain are left";
  }
  if (e.tag == "contact" && (parent == "flex" || parent == "flexcomp") && e.find("internal")) {
    return "internal of a flex's <contact> is gone; selfcollide is left";
  }
  return "";
}

void find_gone(const Element& e, std::string_view parent, const Spec& spec, std::vector<Change>& changes) {
  const std::string why = gone(e, parent);
  if (!why.empty()) {
    add(changes, "C501", "<" + std::string(e.tag) + ">", origin_text(spec, e.at), why).seen = true;
  }
  for (const Element& child : e.children) find_gone(child, e.tag, spec, changes);
}

std::string named(const char* kind, const SpecObject& object) {
  return kind + (object.name.empty() ? std::string() : " '" + object.name + "'");
}

/// Whether a <replicate> has something that keyframes hold the state of.
bool copies_states(const Element& e, bool inside) {
  const bool here = inside || (e.tag == "replicate" && value_of(e, "count") != "1");
  if (here && (e.tag == "joint" || e.tag == "freejoint" || value_of(e, "mocap") == "true")) return true;
  return std::any_of(e.children.begin(), e.children.end(),
                     [&](const Element& child) { return copies_states(child, here); });
}

/// Whether a body is below another one, or the same.
bool is_below(const Model& m, int body, int top) {
  while (body > top) body = m.body_parentid[body];
  return body == top;
}

}  // namespace

void find_refused(const Document& document, const Spec& spec, std::vector<Change>& changes) {
  if (document.root.tag == "robot") return;
  find_gone(document.root, "", spec, changes);
  const auto refuse = [&](const SpecObject& object, const char* kind, const char* attribute, const std::string& why) {
    add(changes, "C502", named(kind, object), origin_text(spec, spec.origin(object.source, attribute)), why).seen =
        true;
  };
  for (const HfieldSpec& h : spec.hfields) {
    const bool given = h.file.empty() && (h.nrow > 0 || h.ncol > 0);
    if (given && (h.nrow < 2 || h.ncol < 2)) {
      refuse(h, "hfield", h.nrow < 2 ? "nrow" : "ncol", "a height field needs at least 2 rows and 2 columns since 4.0");
    }
  }
  for (const TendonSpec& t : spec.tendons) {
    std::set<std::string> joints;
    for (const WrapSpec& w : t.path) {
      if (w.type == WrapType::kPulley && !(w.prm > 0)) {
        refuse(t, "tendon", "", "the divisor of a pulley must be positive since 4.0, it is " + number(w.prm));
      }
      if (w.type != WrapType::kJoint) continue;
      if (!joints.insert(w.object).second) {
        refuse(t, "tendon", "", "joint '" + w.object + "' is in it twice, which 4.0 refuses; add the coefficients");
      }
      for (const JointSpec& j : spec.joints) {
        if (j.name == w.object && !joint_kind(j.type).is_scalar()) {
          refuse(t, "tendon", "", "joint '" + w.object + "' is no hinge or slide, which 4.0 refuses");
        }
      }
    }
    if (t.armature < 0) refuse(t, "tendon", "armature", "negative armature is refused since 4.0");
  }
  for (const TextureSpec& t : spec.textures) {
    if (t.builtin != TextureBuiltin::kNone && t.nchannel != 3) {
      refuse(t, "texture", "nchannel",
             "built-in textures must have 3 channels since 4.0, not " + std::to_string(t.nchannel));
    }
  }
  for (const SkinSpec& s : spec.skins) {
    const int count = static_cast<int>(s.vertex.size() / 3);
    if (count > 0 && std::any_of(s.face.begin(), s.face.end(), [&](int v) { return v < 0 || v >= count; })) {
      refuse(s, "skin", "face", "a face names a vertex that is not there, which 4.0 refuses");
    }
  }
  const CompilerSpec& compiler = spec.compilers[0];
  if (compiler.discardvisual && compiler.inertiafromgeom == InertiaFromGeom::kTrue) {
    for (const GeomSpec& g : spec.geoms) {
      const bool visual = g.contype == 0 && g.conaffinity == 0;
      const bool heavy = std::isnan(g.mass) ? g.density > 0 : g.mass > 0;
      if (!visual || !heavy || g.body == 0) continue;
      refuse(g, "geom", "",
             "discardvisual would drop a geom that inertiafromgeom=\"true\" needs for mass; refused since 4.0");
      break;
    }
  }
  if (compiler.settotalmass > 0) {
    add(changes, "C503", "<compiler>", origin_text(spec, spec.origin(compiler.source, "settotalmass")),
        "settotalmass still works, but is deprecated");
  }
  for (const Element& section : document.root.children) {
    if (section.tag != "statistic" || !section.find("meaninertia")) continue;
    add(changes, "C503", "<statistic>", origin_text(spec, section.at), "meaninertia still works, but is deprecated");
  }
}

void find_sensors(Case& c) {
  const Model& m = c.m;
  const double gravity = doctoring::gravity_size(m);
  for (int s = 0; s < m.nsensor; ++s) {
    const auto type = static_cast<SensorType>(m.sensor_type[s]);
    const auto object = static_cast<ObjType>(m.sensor_objtype[s]);
    const int id = m.sensor_objid[s];
    int body = -1;
    if (object == ObjType::kSite) body = m.site_bodyid[id];
    if (object == ObjType::kGeom) body = m.geom_bodyid[id];
    if (object == ObjType::kCamera) body = m.cam_bodyid[id];
    if (object == ObjType::kBody || object == ObjType::kXbody) body = id;
    if ((type == SensorType::kAccelerometer || type == SensorType::kFrameLinAcc) && body >= 0 &&
        !doctoring::can_move(m, body)) {
      Change& change = add(c, "C401", ObjType::kSensor, s,
                           "what it is on cannot move: it reads −gravity (" + number(gravity) + " m/s²), it read 0");
      change.seen = gravity > 0;
      change.numbers = {{"reading", 0, gravity, "m/s^2"}};
    }
    if ((type == SensorType::kForce || type == SensorType::kTorque) && body >= 0) {
      for (int e = 0; e < m.neq; ++e) {
        if (static_cast<EqualityType>(m.eq_type[e]) != EqualityType::kWeld) continue;
        const bool sites = static_cast<ObjType>(m.eq_objtype[e]) == ObjType::kSite;
        const auto body_of = [&](int i) { return sites ? m.site_bodyid[i] : i; };
        if (!is_below(m, body_of(m.eq_obj1id[e]), body) && !is_below(m, body_of(m.eq_obj2id[e]), body)) continue;
        Change& change = add(c, "C402", ObjType::kSensor, s,
                             "the torque of " + element_text(m, ObjType::kEquality, e) +
                                 " enters with half its torquescale and in world axes");
        change.seen = type == SensorType::kTorque && m.eq_active0[e];
        break;
      }
      for (int t = 0; t < m.ntendon; ++t) {
        bool carries = false;
        for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
          if (static_cast<WrapType>(m.wrap_type[w]) == WrapType::kSite) {
            carries = carries || is_below(m, m.site_bodyid[m.wrap_objid[w]], body);
          }
        }
        if (!carries) continue;
        double force = 0;
        for (const Look& look : c.looks) {
          for (int a = 0; a < m.nactuator; ++a) {
            if (static_cast<TransmissionType>(m.actuator_trntype[a]) == TransmissionType::kTendon &&
                m.actuator_trnid[2 * a] == t) {
              force = std::max(force, std::abs(look.data.actuator_force[m.actuator_outadr[a]]));
            }
          }
        }
        const bool pulls = m.tendon_stiffness[t] != 0 || m.tendon_damping[t] != 0 || m.tendon_limited[t] || force > 0;
        if (!pulls) continue;
        add(c, "C403", ObjType::kSensor, s,
            "forces of " + element_text(m, ObjType::kTendon, t) + " are part of what it reads; before, they were not")
            .seen = true;
        break;
      }
    }
    if (type == SensorType::kContact && static_cast<Stage>(m.sensor_needstage[s]) != Stage::kAcceleration) {
      add(c, "C404", ObjType::kSensor, s, "it needs no forces, and is read before they are known").seen = false;
    }
  }
}

void find_keyframes(Case& c) {
  if (c.urdf || c.spec.keys.empty() || !copies_states(c.document.root, false)) return;
  for (const KeySpec& key : c.spec.keys) {
    const bool whole = static_cast<int>(key.qpos.size()) == c.m.nq || static_cast<int>(key.ctrl.size()) == c.m.nu;
    if (key.qpos.empty() && key.qvel.empty() && key.act.empty() && key.ctrl.empty() && key.mpos.empty() &&
        key.mquat.empty()) {
      continue;
    }
    // (a state is the same in both, once it is there)
    add(c.changes, "C106", named("keyframe", key), origin_text(c.spec, c.spec.origin(key.source)),
        whole ? "its numbers are those of the whole model; 3.12 took them before <replicate> made copies, and refused "
                "this many"
              : "its numbers are the first of the whole model, the rest defaults; 3.12 took them before <replicate> "
                "made copies, and made a keyframe of every copy")
        .seen = false;
  }
}

void find_mimics(Case& c) {
  if (!c.urdf) return;
  const Model& m = c.m;
  for (int i = 0; i < m.nmimic; ++i) {
    const int e = m.mimic_eqid[i], joint = m.eq_obj1id[e];
    Change& change = add(c, "C107", ObjType::kJoint, joint,
                         "<mimic>: it follows " + element_text(m, ObjType::kJoint, m.eq_obj2id[e]) +
                             "; 3.12 left it free, 4.0 couples it softly, Pliant exactly");
    change.seen = true;
  }
}

}  // namespace pliant::changes
