// pliant recording: what is in a recording, and the same as .npz or .csv.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"
#include "pliant/json.h"
#include "pliant/recording.h"
#include "recorded_model.h"

namespace pliant::app {
namespace {

struct RecordingOptions {
  std::string path, output, fields;
  bool json = false;
};

std::string shape_text(const RecordingHead& head, const RecordedField& field) {
  std::string out = field.has_width ? fmt::format("{} x {}", field.count, field.width) : std::to_string(field.count);
  return head.worlds > 1 && field.name != "time" ? fmt::format("{} worlds x {}", head.worlds, out) : out;
}

std::string text_of(const RecordingOptions& options, const RecordingFile& file) {
  const RecordingHead& head = file.head();
  std::string out = fmt::format("recording  {}: written by Pliant {} ({})\n", options.path, head.version, head.build);
  out += fmt::format("model      {}\n", head.model_file.empty() ? "from memory" : head.model_file);
  std::string settings;
  for (const auto& [name, value] : head.options) settings += (settings.empty() ? "" : ", ") + name + " " + value;
  out += fmt::format("options    {}\n", settings);
  if (file.rows() > 0) {
    out += fmt::format("rows       {}: t = {:g} … {:g}, steps {} … {}\n", file.rows(), file.time(0),
                       file.time(file.rows() - 1), file.step(0), file.step(file.rows() - 1));
  } else {
    out += "rows       none\n";
  }
  out += fmt::format("end        {}\n", file.whole() ? file.end() : "missing");
  for (const RecordedField& field : head.fields) {
    out += fmt::format("field      {:<16}{:<20}{}\n", field.name, shape_text(head, field),
                       field.of_state ? "State" : "Data");
  }
  for (const RecordedEvent& event : file.events()) {
    out += fmt::format("event      after row {}, t = {:g}: {}{}\n", event.row - 1, event.time, event.kind,
                       event.text.empty() ? "" : ": " + event.text);
  }
  return out;
}

std::string json_of(const RecordingOptions& options, const RecordingFile& file) {
  const RecordingHead& head = file.head();
  std::string fields, events, settings;
  for (const RecordedField& field : head.fields) {
    fields +=
        fmt::format("{}\n    {{\"name\": {}, \"of\": \"{}\", \"count\": {}, \"width\": {}}}", fields.empty() ? "" : ",",
                    json_text(field.name), field.of_state ? "State" : "Data", field.count, field.width);
  }
  for (const RecordedEvent& event : file.events()) {
    events +=
        fmt::format("{}\n    {{\"row\": {}, \"time\": {}, \"kind\": {}, \"text\": {}}}", events.empty() ? "" : ",",
                    event.row, json_number(event.time), json_text(event.kind), json_text(event.text));
  }
  for (const auto& [name, value] : head.options) {
    settings += fmt::format("{}{}: {}", settings.empty() ? "" : ", ", json_text(name), json_text(value));
  }
  const bool any = file.rows() > 0;
  return fmt::format(
      "{{\n  \"file\": {},\n  \"version\": {},\n  \"build\": {},\n  \"model_file\": {},\n  \"options\": {{{}}},\n"
      "  \"worlds\": {},\n  \"rows\": {},\n  \"start\": {},\n  \"stop\": {},\n  \"whole\": {},\n  \"end\": {},\n"
      "  \"note\": {},\n  \"fields\": [{}],\n  \"events\": [{}]\n}}\n",
      json_text(options.path), json_text(head.version), json_text(head.build), json_text(head.model_file), settings,
      head.worlds, file.rows(), any ? json_number(file.time(0)) : "null",
      any ? json_number(file.time(file.rows() - 1)) : "null", file.whole(), json_text(file.end()),
      json_text(file.note()), fields, events);
}

int run(const RecordingOptions& options) {
  const RecordingFile file(options.path);
  if (!options.fields.empty() && options.output.empty()) {
    throw UsageError("--fields chooses what -o writes; without -o nothing is written");
  }
  if (!options.output.empty()) {
    convert_recording(file, options.output, split_list(options.fields));
    if (!options.json) print(fmt::format("{}: {} rows\n", options.output, file.rows()));
  }
  if (options.json) {
    print(json_of(options, file));
  } else if (options.output.empty()) {
    print(text_of(options, file));
  }
  finish_printing();
  say_note("recording", file.note());
  return file.note().empty() ? kOk : kWarnings;
}

}  // namespace

Run add_recording(Arguments& arguments) {
  auto options = std::make_shared<RecordingOptions>();
  arguments.positional("FILE", options->path, "recording, *.plr, or what a killed run has left of one, *.part");
  arguments.option("-o", "OUT", options->output, "write it as *.npz (NumPy) or *.csv");
  arguments.option("--fields", "NAMES", options->fields, "what to write, separated by commas; all by default");
  arguments.flag("--json", options->json, "print one JSON object");
  arguments.note(
      "Says what is in a recording: model, options, rows, fields, events, how it ended. docs/recordings.md describes "
      "the "
      "format. Exit status: 0 fine; 1 the end is missing or damaged, and what is before it was read; 2 nothing can be "
      "read.\n\nExample, with the recording that it converts:\n"
      "  pliant run models/drop.xml --seconds 0.5 --record drop.plr\n"
      "  pliant recording drop.plr --fields qpos -o drop.csv");
  return [options] { return run(*options); };
}

}  // namespace pliant::app
