// The table of codes: what each finding means and what to do about it. docs/errors.md is made from
// it
// (`pliant codes --markdown`), so a code without a line here is a code nobody can look up.

#include "pliant/diagnostics.h"

namespace pliant {
namespace {

std::vector<CodeInfo> files_and_xml() {
  return {
      {Code::kFileNotFound, "file not found",
       "The model file does not exist. Check the path; a relative one starts at the working "
       "directory."},
      {Code::kFileUnreadable, "file cannot be read",
       "The path exists but cannot be read: it is a folder or a device, or access is denied."},
      {Code::kEmptyFile, "empty file", "The file holds nothing but white space."},
      {Code::kNotText, "not a text file",
       "A model file is UTF-8 text. UTF-16 text, compressed and binary files are refused; save "
       "the file as UTF-8."},
      {Code::kMalformedXml, "malformed XML",
       "The text is not well-formed XML: a tag or quote is not closed, an end tag does not "
       "match, or there is a second root element. Nothing of the file is read; repair the place "
       "named and load again."},
      {Code::kDoctype, "document type declaration",
       "<!DOCTYPE …> is refused, because the entities it can declare may expand without bound. "
       "Write the values out, or use <include>."},
      {Code::kTooDeep, "nested too deep",
       "Elements or includes are nested deeper than the loader follows. No robot needs that many "
       "levels; look for generated or damaged input."},
      {Code::kTooLarge, "too large",
       "The file, or the document after includes, replication and attachment, is larger than the "
       "bound that keeps a slip of the pen from eating all memory. LoadOptions::max_elements "
       "raises it."},
      {Code::kIncludeMissing, "included file not found",
       "The file named by <include> was found neither beside the main file nor beside the file "
       "that includes it."},
      {Code::kIncludeRepeated, "file included twice",
       "A file may be included once in a model. Use <replicate> or <attach> for copies of its "
       "content."},
      {Code::kIncludeCircular, "file includes itself",
       "A file includes or attaches itself, directly or through other files. Break the circle."},
      {Code::kWrongRoot, "wrong root element",
       "A model starts with <mujoco> (MJCF) or <robot> (URDF). A <mujocoinclude> file is made to be "
       "included by another."},
      {Code::kStrayText, "stray text",
       "There is text between elements, which MJCF gives no meaning; it is ignored. Often it is "
       "the rest of a comment or of a tag."},
      {Code::kBadArchive, "archive cannot be used",
       "A .mjz or .zip file is damaged, packed in a way that is not read (only stored and deflated entries are), or "
       "has no model where one is looked for: model.xml, NAME.xml, NAME/NAME.xml or NAME/model.xml, where NAME.mjz is "
       "the archive."},
  };
}

std::vector<CodeInfo> elements_and_attributes() {
  return {
      {Code::kUnknownElement, "unknown element",
       "MJCF has no element of this name. Check the spelling; names are lower case."},
      {Code::kUnknownAttribute, "unknown attribute",
       "This element has no attribute of that name. Check the spelling, and whether the "
       "attribute may stand in <default>: `pliant schema` lists what each element takes."},
      {Code::kMisplacedElement, "element in the wrong place",
       "The element exists, but not inside this one. `pliant schema` lists what may stand where."},
      {Code::kRepeatedElement, "element repeated", "This element may appear once in its parent."},
      {Code::kRepeatedAttribute, "attribute repeated",
       "The element has the same attribute twice. XML allows it once; remove the one you do not "
       "mean."},
      {Code::kMissingAttribute, "attribute missing",
       "The element needs an attribute, or one of several, that is not there."},
      {Code::kAttributeConflict, "attributes in conflict",
       "Attributes that say the same thing in two ways, or that exclude each other, are given "
       "together. One of them may come from a default class. Remove one."},
      {Code::kBadNumber, "not a number",
       "A number was expected. Numbers are separated by spaces, decimals have a point, and no "
       "unit may follow; whole numbers take no decimals."},
      {Code::kNotFinite, "not finite",
       "NaN, infinity, or a number too large for a 64-bit float. A model with such a value "
       "cannot be simulated, wherever the value stands."},
      {Code::kWrongCount, "wrong count of values", "The attribute has too few or too many values."},
      {Code::kBadKeyword, "unknown keyword",
       "The value is not one of the words this attribute takes, or the words are in a wrong "
       "order. Case matters."},
      {Code::kBadText, "malformed text", "The text does not have the form this attribute needs."},
  };
}

std::vector<CodeInfo> names_and_references() {
  return {
      {Code::kRepeatedName, "name used twice",
       "Two objects of the same kind have the same name. Rename one; copies made by <replicate> "
       "and <attach> need a separator or prefix that keeps them apart."},
      {Code::kUnknownReference, "unknown name",
       "The attribute names an object that does not exist. Check the spelling and that the "
       "object is named; copies made by <replicate> and <attach> have longer names."},
      {Code::kUnknownClass, "unknown default class",
       "No <default class=\"…\"> has this name. Classes other than 'main' stand inside the top "
       "<default>."},
      {Code::kRepeatedClass, "default class defined twice", "A default class may be defined once."},
      {Code::kWrongReference, "reference of the wrong kind",
       "The object named exists, but is not of the kind needed here, such as a ball joint where "
       "a hinge or slide is needed."},
      {Code::kEmptyName, "empty name", "An object is named or referred to by an empty text."},
  };
}

std::vector<CodeInfo> values() {
  return {
      {Code::kBadTimestep, "impossible time step", "The time step must be greater than 0."},
      {Code::kBadRange, "value out of range",
       "The value lies outside what this attribute can mean, or a range ends before it begins."},
      {Code::kBadSize, "impossible size",
       "A size must be positive, and enough of them must be given for the shape: 1 for a sphere, "
       "2 for a capsule or cylinder, 3 for a box, ellipsoid or plane."},
      {Code::kBadMass, "impossible mass",
       "A mass or density is negative, or a body that moves has none. Give the body an "
       "<inertial>, a geom with mass, or set boundmass in <compiler>."},
      {Code::kBadInertia, "impossible inertia",
       "No rigid body has this inertia: a moment is negative or zero, or the sum of two is less "
       "than the third. Check units and order; balanceinertia in <compiler> replaces such "
       "moments by their mean. Within inertiatolerance of <compiler>, which is large for URDF because so many files "
       "have such inertias, it is a warning, and the inertia is kept as written."},
      {Code::kBadOrientation, "impossible orientation",
       "A quaternion or an axis of an orientation has no length, or two axes are parallel."},
      {Code::kBadJoint, "impossible joint",
       "The joint cannot stand where it is, or not with these values: free joints belong to "
       "children of the world and stand alone, a body has at most 6 degrees of freedom, an axis "
       "has a direction."},
      {Code::kBadGeom, "impossible geom", "The shape, its place or its contact settings make no geom."},
      {Code::kBadTendon, "impossible tendon",
       "The path of a tendon cannot be followed: it needs joints or at least two sites, wrapping "
       "geoms stand between sites, and a pulley divides what follows it."},
      {Code::kBadActuator, "impossible actuator", "The values of an actuator make no force law."},
      {Code::kBadSensor, "impossible sensor",
       "The sensor cannot measure what it points at, or its values are out of range."},
      {Code::kBadEquality, "impossible equality", "The two sides of an equality constraint do not go together."},
      {Code::kBadKeyframe, "impossible keyframe",
       "A list of a keyframe does not fit the model; qpos has nq numbers, qvel nv, act na, ctrl "
       "nu. Too many numbers are an error."},
      {Code::kBadAsset, "impossible asset",
       "A mesh, height field, texture, material or skin cannot be made as described, or its file "
       "cannot be used."},
      {Code::kBadReplicate, "impossible replication", "The count of <replicate> must be at least 1."},
      {Code::kBadCamera, "impossible camera or light",
       "Lens and target values of a camera or light do not go together."},
      {Code::kBadCustom, "impossible custom data",
       "A numeric, text or tuple of the user is empty, too short or given twice."},
      {Code::kBadBody, "impossible body", "The settings of a body contradict its place in the tree."},
      {Code::kBadOption, "impossible option",
       "A simulation option lies outside what any solver or integrator can use."},
      {Code::kBadPair, "impossible contact pair", "The two geoms or bodies named cannot make a pair."},
      {Code::kBadMimic, "impossible mimic",
       "A mimic ties hinge and slide joints by gears other than 0. No joint follows itself, directly or through "
       "others; mimics together must leave every joint some freedom; an exact follower follows once."},
      {Code::kBadTree, "links make no tree",
       "A robot is one tree: every link but one, the root, is the child of exactly one joint, and no "
       "chain of joints leads back to where it began."},
      {Code::kNotWritable, "cannot be written",
       "A model cannot be written as MJCF: a number is not finite, a text holds a zero byte, the model does not "
       "compile where writing needs it, the file cannot be made, or it is a file that the model was read from. Nothing "
       "is written then."},
  };
}

std::vector<CodeInfo> unsupported() {
  return {
      {Code::kUnsupportedElement, "element not supported",
       "This is valid MJCF that Pliant does not support. With allow_unsupported it becomes a "
       "warning and the element is left out: the model then lacks it."},
      {Code::kUnsupportedAttribute, "attribute not supported",
       "This is valid MJCF that Pliant does not support. With allow_unsupported it becomes a "
       "warning and the attribute is left out."},
      {Code::kUnsupportedValue, "value not supported", "The attribute is supported, but not with this value."},
      {Code::kUnsupportedFile, "file or data not supported",
       "Data of this kind is not read, such as signed distance fields. With allow_unsupported "
       "the object is left out and a warning says so."},
  };
}

std::vector<CodeInfo> consequences() {
  return {
      {Code::kSolimpClamped, "solimp is clamped",
       "A value of solimp lies outside its range and is clamped at every step: impedances and "
       "midpoint to 0.0001 … 0.9999, width to at least 0, power to at least 1. The message names "
       "the values used; write them, or values within the range."},
      {Code::kSolrefClamped, "solref is replaced or clamped",
       "solref is (time constant, damping ratio) when both are positive and (-stiffness, "
       "-damping) when neither is. One of each is replaced by the default; a time constant below "
       "two time steps is raised to two, unless the flag refsafe is off; '0 0' has neither "
       "stiffness nor damping. The message names the values used."},
      {Code::kFrictionClamped, "friction is clamped",
       "A friction coefficient below 0.00001 is raised to it at every contact. Use condim=\"1\" "
       "for contacts without friction."},
      {Code::kIgnoredAttribute, "attribute without effect",
       "The attribute is read, but nothing uses it here. The message says why."},
      {Code::kVisualFileMissing, "file for viewing not found",
       "A texture or skin file is missing or damaged, or a mesh file is missing that is only looked "
       "at: no geom that uses it collides or gives mass. The model works without it, but does not "
       "look as meant."},
      {Code::kPaddedKeyframe, "keyframe is padded",
       "A list of a keyframe has too few numbers. The rest is filled in: velocities, activations "
       "and controls with 0, positions with the reference configuration."},
      {Code::kUnitsSuspect, "units look wrong",
       "The value is possible, but looks like degrees where radians are meant, or millimetres "
       "where metres are."},
      {Code::kBoundApplied, "bound applied",
       "boundmass, boundinertia, balanceinertia or settotalmass of <compiler> changed the mass "
       "or inertia of a body."},
      {Code::kDegreesKept, "angle not converted",
       "A range of a joint without limits is kept as written: it is not converted to radians, "
       "because nothing uses it."},
      {Code::kUserCallback, "user callback",
       "The element asks for a callback of the user (set_mjcb_act_gain and the like in Python); without one its gain "
       "is "
       "1, its bias and rate 0."},
      {Code::kDropped, "left out", "Part of the model was left out; the message says what and why."},
      {Code::kMeshCache, "mesh cache not used",
       "An entry of the mesh cache is damaged, or the cache folder cannot be written. The mesh was "
       "made from its file; the model is the same. Remove the entry, or choose another folder."},
      {Code::kMeshInsideOut, "mesh is inside out",
       "The faces of the mesh point inwards, so that its volume is negative. With "
       "inertia=\"legacy\" it is taken as positive; the other ways to get the mass refuse the mesh."},
      {Code::kNotComputed, "not computed yet",
       "The element is kept, but a step does not compute it yet; the message says what stands in "
       "its place."},
      {Code::kDeprecated, "deprecated",
       "The attribute still works, but the reference has announced that it will go. The message says what to do "
       "instead."},
      {Code::kMimicConsequence, "mimic with consequences",
       "A mimic is accepted, but changes what other elements mean: the message names the actuator, range, position or "
       "mimic concerned."},
      {Code::kExtension, "extension left out",
       "URDF files carry elements for other programs, such as <gazebo>. They are left out; the ledger "
       "lists what they said."},
      {Code::kMasslessLink, "moving link without mass or inertia",
       "A link that moves has no mass, or no inertia about some axis, which no solver can move. The "
       "message says which values were put in its place; write an <inertial> to choose them yourself."},
      {Code::kGuessedPath, "file found by guess",
       "The package of a package:// path is not known; files were found under folders above the model "
       "whose names end alike. Name the folder of the package to be sure."},
      {Code::kHullMuchLarger, "collision mesh unlike its hull",
       "A mesh collides as its convex hull. This hull fills far more space than the mesh does, or the mesh "
       "has very many triangles that its hull does not need. Split the mesh into convex parts, or use "
       "simpler shapes."},
      {Code::kLinksOverlap, "links overlap",
       "Two links that are no neighbours overlap when all joints are at zero, so that contact forces push "
       "them apart from the start. Shrink their collision shapes, exclude the pair, or load without "
       "collisions between links."},
  };
}

}  // namespace

const std::vector<CodeInfo>& code_table() {
  static const std::vector<CodeInfo> kTable = [] {
    std::vector<CodeInfo> all;
    for (const auto& part : {files_and_xml(), elements_and_attributes(), names_and_references(), values(),
                             unsupported(), consequences()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kTable;
}

}  // namespace pliant
