#pragma once
// Who refers to whom: for every kind of object, the names it holds of other objects. Replication,
// attachment and static fusion all walk references through here.

#include "pliant/spec.h"

namespace pliant {

// visit(ObjType kind, std::string& name) is called for every reference that is given
template <class F>
void visit_references(PairSpec& o, F&& visit) {
  visit(ObjType::kGeom, o.geom1);
  visit(ObjType::kGeom, o.geom2);
}
template <class F>
void visit_references(ExcludeSpec& o, F&& visit) {
  visit(ObjType::kBody, o.body1);
  visit(ObjType::kBody, o.body2);
}
template <class F>
void visit_references(EqualitySpec& o, F&& visit) {
  const EqualityKind& equality = equality_kind(o.type);
  const ObjType kind = equality.ties_joints()    ? ObjType::kJoint
                       : equality.ties_tendons() ? ObjType::kTendon
                                                 : o.objtype;
  if (!o.object1.empty()) visit(kind, o.object1);
  if (!o.object2.empty()) visit(kind, o.object2);
  for (std::string& leader : o.leaders) visit(ObjType::kJoint, leader);
}
template <class F>
void visit_references(TendonSpec& o, F&& visit) {
  for (WrapSpec& wrap : o.path) {
    switch (wrap.type) {
      case WrapType::kJoint:
        visit(ObjType::kJoint, wrap.object);
        break;
      case WrapType::kSite:
        visit(ObjType::kSite, wrap.object);
        break;
      case WrapType::kSphere:
      case WrapType::kCylinder:
        visit(ObjType::kGeom, wrap.object);
        if (!wrap.sidesite.empty()) visit(ObjType::kSite, wrap.sidesite);
        break;
      case WrapType::kPulley:
      case WrapType::kNone:
        break;
    }
  }
}
template <class F>
void visit_references(ActuatorSpec& o, F&& visit) {
  switch (o.trntype) {
    case TransmissionType::kJoint:
    case TransmissionType::kJointInParent:
      visit(ObjType::kJoint, o.target);
      break;
    case TransmissionType::kTendon:
      visit(ObjType::kTendon, o.target);
      break;
    case TransmissionType::kBody:
      visit(ObjType::kBody, o.target);
      break;
    case TransmissionType::kSliderCrank:
    case TransmissionType::kSite:
    case TransmissionType::kSo3:
      visit(ObjType::kSite, o.target);
      break;
    case TransmissionType::kUndefined:
      break;
  }
  if (!o.slidersite.empty()) visit(ObjType::kSite, o.slidersite);
  if (!o.refsite.empty()) visit(ObjType::kSite, o.refsite);
}
template <class F>
void visit_references(SensorSpec& o, F&& visit) {
  const auto plain = [](ObjType t) { return t == ObjType::kXbody ? ObjType::kBody : t; };
  if (!o.objname.empty()) visit(plain(o.objtype), o.objname);
  if (!o.refname.empty()) visit(plain(o.reftype), o.refname);
}
template <class F>
void visit_references(TupleSpec& o, F&& visit) {
  for (TupleElementSpec& e : o.elements) {
    visit(e.objtype == ObjType::kXbody ? ObjType::kBody : e.objtype, e.objname);
  }
}
template <class F>
void visit_references(CameraSpec& o, F&& visit) {
  if (!o.target.empty()) visit(ObjType::kBody, o.target);
}
template <class F>
void visit_references(LightSpec& o, F&& visit) {
  if (!o.target.empty()) visit(ObjType::kBody, o.target);
}
template <class F>
void visit_references(SkinSpec& o, F&& visit) {
  for (SkinBoneSpec& bone : o.bones) visit(ObjType::kBody, bone.body);
}

}  // namespace pliant
