// COLLADA and glTF: a conversation with the program that reads them (mesh_assimp.cpp), which is part of this library as
// bytes. What it answers is looked at like a file of a stranger, as any other mesh is.

#include <cstring>
#include <pugixml.hpp>
#include <stdexcept>

#include "base/apart.h"
#include "base/text.h"
#include "compile/mesh.h"
#include "compile/scene_messages.h"

// the program's file, between two symbols
asm(R"(.section .rodata
.balign 16
.hidden pliant_scene_reader
.hidden pliant_scene_reader_end
.global pliant_scene_reader
pliant_scene_reader:
.incbin ")" PLIANT_SCENE_READER R"("
.global pliant_scene_reader_end
pliant_scene_reader_end:
.previous
)");
extern "C" __attribute__((visibility("hidden"))) const char pliant_scene_reader[], pliant_scene_reader_end[];

namespace pliant {
namespace {

constexpr size_t kMemoryPerByte = 50;        // of a file, while it is read
constexpr size_t kBytesPerSecond = 500'000;  // a tenth of what it reads
constexpr unsigned kLeastSeconds = 2, kLeastClock = 10, kPatience = 4;

template <class T>
void take(const std::string& bytes, std::vector<T>& values) {
  values.resize(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
}

/// The importer never ends on texts that are no XML, and on lists of indices with something else in them.
void check_collada(const std::string& bytes) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(bytes.data(), bytes.size());
  if (!parsed) throw "it is not readable: " + std::string(parsed.description());
  struct Lists : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node& node) override {
      const std::string_view tag = node.name(), text = node.text().get();
      if (tag != "p" && tag != "vcount" && tag != "h" && tag != "v") return true;
      const size_t wrong = text.find_first_not_of("0123456789+- \t\r\n");
      if (wrong == std::string_view::npos) return true;
      size_t at = wrong;
      throw "it is not readable: <" + std::string(tag) + "> has " + quote(next_word(text, at)) +
          " where there should be a whole number";
    }
  } lists;
  document.traverse(lists);
}

MeshData converse(Apart& reader, const std::string& bytes, const FetchSibling& fetch) {
  MeshData mesh;
  mesh.merge_vertices = true;
  reader.send(kFile, bytes);
  for (;;) {
    const Message answer = reader.receive();
    std::string content;
    switch (answer.kind) {
      case kWantsSibling:
        if (fetch && fetch(answer.bytes, content)) {
          reader.send(kFile, content);
        } else {
          reader.send(kNoFile, {});
        }
        break;
      case kVertices:
        take(answer.bytes, mesh.vertex);
        break;
      case kFaces:
        take(answer.bytes, mesh.face);
        return mesh;
      case kRefused:
        throw answer.bytes;
      default:
        throw std::runtime_error("the reader crashed");
    }
  }
}

}  // namespace

std::string_view scene_reader_program() {
  return {pliant_scene_reader, static_cast<size_t>(pliant_scene_reader_end - pliant_scene_reader)};
}

MeshData read_scene(const std::string& bytes, const std::string& extension, const FetchSibling& fetch) {
  if (bytes.empty()) throw std::string("the file is empty");
  if (extension == "dae") check_collada(bytes);
  ApartLimits limits;
  limits.bytes += kMemoryPerByte * bytes.size();
  limits.seconds = kLeastSeconds + static_cast<unsigned>(bytes.size() / kBytesPerSecond);
  limits.clock = kLeastClock + kPatience * limits.seconds;
  try {
    Apart reader(scene_reader_program(), {extension}, limits);
    return converse(reader, bytes, fetch);
  } catch (const std::runtime_error& problem) {
    throw "it is not readable: " + std::string(problem.what());
  }
}

}  // namespace pliant
