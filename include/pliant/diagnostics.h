#pragma once
// Findings about a model file: what is wrong, where, and what to do about it.
//
// Loading never stops at the first problem. Every function that reads or compiles a model reports into
// a Diagnostics sink and carries on, so that a user sees all problems of a file at once:
//
//   robot.xml:41:18: error[E202] <geom> has no attribute 'frcition'
//     hint: did you mean 'friction'?

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pliant {

/// A place in a source file. Lines and columns start at 1; 0 means "the file as a whole".
struct Origin {
  int32_t file = -1;  ///< index into Diagnostics::files / Spec::files; -1 = unknown
  int32_t line = 0;
  int32_t column = 0;
};

/// An error means the input cannot be represented; a warning means it was accepted, but clamped,
/// ignored or read in a way the author may not expect.
enum class Severity : uint8_t { kWarning, kError };

/// Stable numbers; each is explained in docs/errors.md (generated from code_table()).
enum class Code : int {
  // E1xx: files and XML
  kFileNotFound = 101,
  kFileUnreadable = 102,
  kEmptyFile = 103,
  kNotText = 104,
  kMalformedXml = 105,
  kDoctype = 106,
  kTooDeep = 107,
  kTooLarge = 108,
  kIncludeMissing = 109,
  kIncludeRepeated = 110,
  kIncludeCircular = 111,
  kWrongRoot = 112,
  kStrayText = 113,
  kBadArchive = 114,
  // E2xx: elements and attributes
  kUnknownElement = 201,
  kUnknownAttribute = 202,
  kMisplacedElement = 203,
  kRepeatedElement = 204,
  kRepeatedAttribute = 205,
  kMissingAttribute = 206,
  kAttributeConflict = 207,
  kBadNumber = 208,
  kNotFinite = 209,
  kWrongCount = 210,
  kBadKeyword = 211,
  kBadText = 212,
  // E3xx: names and references
  kRepeatedName = 301,
  kUnknownReference = 302,
  kUnknownClass = 303,
  kRepeatedClass = 304,
  kWrongReference = 305,
  kEmptyName = 306,
  // E4xx: values that make no model
  kBadTimestep = 401,
  kBadRange = 402,
  kBadSize = 403,
  kBadMass = 404,
  kBadInertia = 405,
  kBadOrientation = 406,
  kBadJoint = 407,
  kBadGeom = 408,
  kBadTendon = 409,
  kBadActuator = 410,
  kBadSensor = 411,
  kBadEquality = 412,
  kBadKeyframe = 413,
  kBadAsset = 414,
  kBadReplicate = 415,
  kBadCamera = 416,
  kBadCustom = 417,
  kBadBody = 418,
  kBadOption = 419,
  kBadPair = 420,
  kBadMimic = 430,
  kBadTree = 431,
  kNotWritable = 450,
  // E5xx: valid MJCF that Pliant does not support
  kUnsupportedElement = 501,
  kUnsupportedAttribute = 502,
  kUnsupportedValue = 503,
  kUnsupportedFile = 504,
  // W6xx: accepted, with consequences
  kSolimpClamped = 601,
  kSolrefClamped = 602,
  kFrictionClamped = 603,
  kIgnoredAttribute = 604,
  kVisualFileMissing = 605,
  kPaddedKeyframe = 606,
  kUnitsSuspect = 607,
  kBoundApplied = 608,
  kDegreesKept = 609,
  kUserCallback = 611,
  kDropped = 612,
  kMeshCache = 613,
  kMeshInsideOut = 614,
  kNotComputed = 615,
  kDeprecated = 616,
  kMimicConsequence = 630,
  // W63x: imported robots
  kExtension = 631,
  kMasslessLink = 632,
  kGuessedPath = 633,
  kHullMuchLarger = 634,
  kLinksOverlap = 635,
  kWriteLoss = 650,
};

struct CodeInfo {
  Code code;
  const char* title;    ///< a few words
  const char* meaning;  ///< what it means and what to do
};
/// Every code, in ascending order.
const std::vector<CodeInfo>& code_table();

struct Diagnostic {
  Severity severity = Severity::kError;
  Code code = Code::kMalformedXml;
  std::string file;  ///< as the user wrote it; empty for text given in memory
  int line = 0, column = 0;
  std::string element;  ///< tag of the element concerned, e.g. "geom"
  std::string message;
  std::string hint;  ///< may be empty

  /// `file:line:column: error[E202] message` and, on a second line, the hint.
  std::string text() const;
};

/// The sink. The same finding at the same place is kept once (a replicated element is read many times).
class Diagnostics {
 public:
  /// Registers a file name and returns its index for Origin::file.
  int add_file(std::string name);

  void error(Code code, Origin at, std::string_view element, std::string message, std::string hint = {});
  void warning(Code code, Origin at, std::string_view element, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  const std::vector<Diagnostic>& list() const { return list_; }
  const std::vector<std::string>& files() const { return files_; }

 private:
  void add(Severity severity, Code code, Origin at, std::string_view element, std::string message, std::string hint);

  std::vector<std::string> files_;
  std::vector<Diagnostic> list_;
  std::unordered_set<std::string> seen_;
  int errors_ = 0, warnings_ = 0;
};

/// Thrown by load_model and by the Python bindings; carries every finding, warnings included.
class LoadError : public std::runtime_error {
 public:
  explicit LoadError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// All findings as text, one after the other, with a closing count.
std::string to_text(const std::vector<Diagnostic>& diagnostics);

}  // namespace pliant
