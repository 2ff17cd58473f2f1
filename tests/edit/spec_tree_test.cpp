// SpecTree: elements keep their places and addresses; what is listed again is what was built.

#include "pliant/edit.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "pliant/compile.h"
#include "pliant/load_spec.h"

namespace pliant {
namespace {

constexpr const char* kArm = R"(
<mujoco>
  <default><default class="thin"><geom size=".02"/></default></default>
  <worldbody>
    <body name="arm" childclass="thin"><joint name="hinge"/><geom name="link"/>
      <frame name="grip" pos="0 0 1"><body name="hand"><joint name="turn"/><geom/></body></frame>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="turn"/></actuator>
</mujoco>)";

std::shared_ptr<SpecTree> arm() { return std::make_shared<SpecTree>(*load_string(kArm).spec); }

TEST(SpecTree, ElementsAreListedInTheOrderOfTheirIds) {
  SpecTree tree;
  auto& outer = static_cast<BodyElement&>(tree.add(ElementKind::kBody, tree.world()));
  auto& second = static_cast<BodyElement&>(tree.add(ElementKind::kBody, tree.world()));
  auto& inner = static_cast<BodyElement&>(tree.add(ElementKind::kBody, outer));
  EXPECT_EQ(tree.id(outer), 1);
  EXPECT_EQ(tree.id(inner), 2);
  EXPECT_EQ(tree.id(second), 3);
  const Spec spec = tree.to_spec();
  EXPECT_EQ(spec.bodies[2].parent, 1);
  EXPECT_EQ(spec.bodies[3].parent, 0);
}

TEST(SpecTree, NewElementsTakeTheClassAroundThem) {
  const auto tree = arm();
  auto& body = static_cast<BodyElement&>(*tree->find(ElementKind::kBody, "arm"));
  EXPECT_EQ(tree->add<GeomSpec>(body).value.size[0], 0.02);
  EXPECT_EQ(tree->add<GeomSpec>(tree->world()).value.size[0], 0);
}

TEST(SpecTree, WhatABodyHoldsGoesWithItAndWhoRefersToIt) {
  const auto tree = arm();
  SpecElement* const joint = tree->find(ElementKind::kJoint, "turn");
  tree->remove(*tree->find(ElementKind::kBody, "hand"));
  EXPECT_EQ(joint->tree, nullptr);
  EXPECT_EQ(joint->name(), "turn");
  EXPECT_TRUE(tree->elements(ElementKind::kActuator).empty());
  EXPECT_THROW(tree->remove(*joint), std::invalid_argument);
  EXPECT_THROW(tree->remove(tree->world()), std::invalid_argument);
}

TEST(SpecTree, AttachedElementsMoveAndGetNames) {
  const auto parent = std::make_shared<SpecTree>();
  const auto child = arm();
  SpecElement* const hand = child->find(ElementKind::kBody, "hand");
  auto& frame = static_cast<FrameElement&>(parent->add(ElementKind::kFrame, parent->world()));
  parent->attach(*child, frame, "left_", "");
  EXPECT_EQ(hand->name(), "left_hand");
  EXPECT_EQ(hand->tree, parent.get());
  ASSERT_NE(parent->find_class("left_thin"), nullptr);
  const auto* motor = static_cast<ElementOf<ActuatorSpec>*>(parent->find(ElementKind::kActuator, "left_motor"));
  ASSERT_NE(motor, nullptr);
  EXPECT_EQ(motor->value.target, "left_turn");
  EXPECT_THROW(child->to_spec(), std::invalid_argument);
  Diagnostics diagnostics;
  EXPECT_TRUE(compile(parent->to_spec(), diagnostics).model) << to_text(diagnostics.list());
}

TEST(SpecTree, NamesAreUnique) {
  SpecTree tree;
  SpecElement& first = tree.add(ElementKind::kMaterial);
  SpecElement& second = tree.add(ElementKind::kMaterial);
  tree.rename(first, "red");
  EXPECT_THROW(tree.rename(second, "red"), std::invalid_argument);
  EXPECT_EQ(second.name(), "");
}

TEST(SpecTree, EveryKindHasAttributes) {
  for (int kind = 0; kind < kNumElementKinds; ++kind) {
    if (static_cast<ElementKind>(kind) == ElementKind::kTuple) continue;
    EXPECT_FALSE(element_fields(static_cast<ElementKind>(kind)).empty()) << kind;
  }
}

}  // namespace
}  // namespace pliant
