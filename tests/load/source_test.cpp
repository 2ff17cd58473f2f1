// Source layer: every element, attribute name and value knows its file, line and column, through
// includes too; what is wrong with a document is reported, never thrown.

#include "load/source.h"

#include <gtest/gtest.h>

#include <map>

namespace pliant {
namespace {

/// A document read from files in memory; the main one is "main.xml".
struct Reading {
  Diagnostics diagnostics;
  Document document;
  bool ok = false;

  explicit Reading(const std::map<std::string, std::string>& files, int64_t max_elements = 2'000'000) {
    LoadOptions options;
    options.assets = files;
    options.max_elements = max_elements;
    ok = read_document("main.xml", {}, options, diagnostics, document);
  }
  explicit Reading(const std::string& text) { ok = read_document({}, text, LoadOptions{}, diagnostics, document); }

  std::string place(Origin at) const {
    return diagnostics.files().at(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  const Element& root() const { return document.root; }
  std::vector<Code> codes() const {
    std::vector<Code> codes;
    for (const Diagnostic& finding : diagnostics.list()) codes.push_back(finding.code);
    return codes;
  }
};

TEST(Source, PlacesAreExact) {
  const Reading reading(
      "<mujoco>\n"
      "  <option timestep=\"0.01\"\n"
      "\t  gravity='0 0 0'/>\n"
      "</mujoco>\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.place(reading.root().at), ":1:1");
  const Element& option = reading.root().children.at(0);
  EXPECT_EQ(reading.place(option.at), ":2:3");
  EXPECT_EQ(reading.place(option.attributes.at(0).name_at), ":2:11");
  EXPECT_EQ(reading.place(option.attributes.at(0).value_at), ":2:21");
  EXPECT_EQ(reading.place(option.attributes.at(1).name_at), ":3:4");
  EXPECT_EQ(reading.place(option.attributes.at(1).value_at), ":3:13");
  EXPECT_EQ(option.find("gravity")->value, "0 0 0");
  EXPECT_EQ(option.find("wind"), nullptr);
}

TEST(Source, ColumnsCountCharactersAndSurviveEscapes) {
  const Reading reading("<mujoco>\r\n<a x=\"&lt;&#228;\" y=\"ä\" z=\"1\"/></mujoco>");
  ASSERT_TRUE(reading.ok);
  const Element& element = reading.root().children.at(0);
  EXPECT_EQ(element.find("x")->value, "<ä");
  EXPECT_EQ(reading.place(element.find("y")->value_at), ":2:22");
  EXPECT_EQ(reading.place(element.find("z")->value_at), ":2:28");
}

TEST(Source, IncludesAreSplicedInPlace) {
  const Reading reading({{"main.xml", "<mujoco>\n <a/>\n <include file=\"one.xml\"/>\n <b/>\n</mujoco>"},
                         {"one.xml", "<x>\n\n   <c k=\"v\"/><include file=\"two.xml\"/><d/></x>"},
                         {"two.xml", "<x><e/></x>"}});
  ASSERT_TRUE(reading.ok);
  std::string tags;
  for (const Element& child : reading.root().children) tags += child.tag;
  EXPECT_EQ(tags, "acedb");
  const auto& children = reading.root().children;
  EXPECT_EQ(reading.place(children[1].at), "one.xml:3:4");
  EXPECT_EQ(reading.place(children[1].find("k")->value_at), "one.xml:3:10");
  EXPECT_EQ(reading.place(children[2].at), "two.xml:1:4");
  EXPECT_EQ(reading.place(children[3].at), "one.xml:3:39");
  EXPECT_EQ(reading.place(children[4].at), "main.xml:4:2");
}

TEST(Source, IncludeProblemsAreReportedAndReadingGoesOn) {
  const Reading reading({{"main.xml",
                          "<mujoco><include file=\"main.xml\"/><include file=\"gone.xml\"/>"
                          "<include/><include file=\"one.xml\"/><include file=\"one.xml\"/>"
                          "<last/></mujoco>"},
                         {"one.xml", "<x model=\"m\" other=\"o\"/>"}});
  EXPECT_EQ(reading.codes(), (std::vector<Code>{Code::kIncludeCircular, Code::kIncludeMissing, Code::kMissingAttribute,
                                                Code::kIgnoredAttribute, Code::kIncludeRepeated}));
  ASSERT_EQ(reading.root().children.size(), 1u);
  EXPECT_EQ(reading.root().children[0].tag, "last");
}

TEST(Source, MalformedText) {
  const std::pair<const char*, Code> cases[] = {
      {"", Code::kEmptyFile},
      {" \n\t", Code::kEmptyFile},
      {"\xFF\xFE<\0m\0", Code::kNotText},
      {"hello", Code::kMalformedXml},
      {"<a>", Code::kMalformedXml},
      {"<a></b>", Code::kMalformedXml},
      {"<a x=1/>", Code::kMalformedXml},
      {"<a x=\"1/>", Code::kMalformedXml},
      {"<!-- ", Code::kMalformedXml},
      {"<a/><b/>", Code::kMalformedXml},
      {"<!DOCTYPE a><a/>", Code::kDoctype},
      {"<a x=\"1\" x=\"2\"/>", Code::kRepeatedAttribute},
  };
  for (const auto& [text, code] : cases) {
    const Reading reading{std::string(text)};
    ASSERT_EQ(reading.diagnostics.errors(), 1) << text;
    EXPECT_EQ(reading.codes()[0], code) << text;
  }
  EXPECT_EQ(Reading(std::string("<a>\0</a>", 8)).codes()[0], Code::kNotText);
}

TEST(Source, ByteOrderMarkIsSkipped) {
  const Reading reading(std::string("\xEF\xBB\xBF<mujoco/>"));
  EXPECT_TRUE(reading.ok) << to_text(reading.diagnostics.list());
  EXPECT_EQ(reading.root().tag, "mujoco");
}

TEST(Source, DepthAndCountAreBounded) {
  std::string deep;
  for (int i = 0; i < 50'000; ++i) deep += "<a>";
  for (int i = 0; i < 50'000; ++i) deep += "</a>";
  EXPECT_EQ(Reading(deep).codes(), std::vector<Code>{Code::kTooDeep});

  std::string wide = "<mujoco>";
  for (int i = 0; i < 50; ++i) wide += "<a/>";
  wide += "</mujoco>";
  EXPECT_EQ(Reading({{"main.xml", wide}}, 20).codes(), std::vector<Code>{Code::kTooLarge});
  EXPECT_TRUE(Reading({{"main.xml", wide}}, 51).codes().empty());
}

TEST(Source, StrayTextAndCdata) {
  const Reading reading("<mujoco>\n  lost<text><![CDATA[kept]]></text></mujoco>");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.codes(), std::vector<Code>{Code::kStrayText});
  EXPECT_EQ(reading.root().children.at(0).cdata, "kept");
  EXPECT_EQ(reading.root().children.at(0).cdata_sections, 1);
}

// As in the reference: before the root element it does no harm, after it the file is refused.
TEST(Source, TextBesideTheRootElement) {
  const Reading before("<!-- a comment -->\n words\n<mujoco/>\n");
  EXPECT_TRUE(before.ok);
  ASSERT_EQ(before.codes(), std::vector<Code>{Code::kStrayText});
  EXPECT_EQ(before.diagnostics.list().at(0).line, 2);
  const Reading after("<mujoco/>\n<!-- a comment --> words");
  EXPECT_FALSE(after.ok);
  EXPECT_EQ(after.codes(), std::vector<Code>{Code::kMalformedXml});
  EXPECT_TRUE(Reading("<!-- a comment -->\n<mujoco/>\n<!-- another -->\n").codes().empty());
  EXPECT_EQ(Reading("words").codes(), std::vector<Code>{Code::kMalformedXml});
}

}  // namespace
}  // namespace pliant
