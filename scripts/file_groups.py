"""C++ files in groups that compile as one text: those whose local names do not clash.

    scripts/file_groups.py LARGEST FILE...    prints "number<TAB>file" for each, groups of at most LARGEST

A name is local when only its file has it: in an unnamed namespace, static, a macro. Two files stand together when no
local name of one is declared by the other, or by a header of ours that the other reads. CMakeLists.txt compiles such
groups (PLIANT_UNITY), scripts/lint gives them to clang-tidy. Nothing but Python's own library is needed.
"""

import functools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MADE = "build/lint/made"  # headers that cmake/rooms.cmake and cmake/pages.cmake make; scripts/lint makes them there
INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.M)

# Files of a group share their headers: those that need nanobind, CLI11 or gtest stay among themselves, and those of
# tests/solver, whose namespace pliant::testing would hide gtest's.
ROOMS = ("src", "apps", "python", "tests/solver", "tests", "")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@functools.cache
def fields():
    """Macros that the lists in *.def take away again."""
    lists = [path for folder in ("include", "src", "tests") for path in (ROOT / folder).rglob("*.def")]
    return {name for path in lists for name in re.findall(r"^#undef (\w+)", path.read_text(encoding="utf-8"), re.M)}


def room_of(name):
    return next(room for room in ROOMS if name.startswith(room))


def declared(text):
    """Names declared at the left edge, and macros that stay."""
    names = set(re.findall(r"^#define (\w+)", text, re.M)) - set(re.findall(r"^#undef (\w+)", text, re.M)) - fields()
    for line in text.splitlines():
        if re.match(r"(?!(?:template|using namespace|namespace|extern)\b|[A-Z_]+\()[A-Za-z_\[]", line):
            head = re.split(r"[(={;\[]| : ", re.sub(r"^\[\[\w+\]\] ", "", line), maxsplit=1)[0]
            names.update(re.findall(r"\w+", head)[-1:])
            # constexpr int kOne = 1, kTwo = 2;
            names.update(re.findall(r", (k[A-Z]\w*) =", line))
    return names


def local_names(text):
    """Names that only this file has: those in unnamed namespaces, static ones, macros, main."""
    blocks = re.findall(r"^namespace \{\n(.*?)^\}  // namespace\n", text, re.M | re.S)
    static = re.findall(r"^(?:static .*|int main.*|#define .*)$", text, re.M)
    return declared("\n".join(blocks + static))


@functools.cache
def header(name, included):
    """The file of ours that `#include "included"` in `name` means, or None."""
    for folder in (pathlib.PurePath(name).parent, "include", "src", "apps", "python", ".", MADE):
        path = os.path.normpath(os.path.join(folder, included))
        if (ROOT / path).is_file():
            return path
    return None


@functools.cache
def headers_of(name):
    return {header(name, included) for _, included in INCLUDE.findall(read(name))} - {None}


def everything_read(files):
    """The files and all headers of ours behind them."""
    todo, seen = list(files), set(files)
    while todo:
        new = headers_of(todo.pop()) - seen
        todo += new
        seen |= new
    return seen


def groups_of(files, largest):
    """Each file goes to the first group of its room that has place and no name that would clash."""
    names_of, groups = {}, []
    for name in files:
        text, seen = read(name), set()
        local = local_names(text)
        # a namespace opened at the left edge would be open in the files that follow: such a file stays alone
        room = name if re.search(r"^using namespace (?!nb::literals)", text, re.M) else room_of(name)
        for path in everything_read([name]):
            if path not in names_of:
                names_of[path] = declared(read(path))
            seen |= names_of[path]
        for group in groups:
            free = group["room"] == room and len(group["files"]) < largest
            if free and not local & group["seen"] and not seen & group["local"]:
                break
        else:
            group = {"room": room, "files": [], "local": set(), "seen": set()}
            groups.append(group)
        group["files"].append(name)
        group["local"] |= local
        group["seen"] |= seen
    return [group["files"] for group in groups]


if __name__ == "__main__":
    for number, group in enumerate(groups_of(sys.argv[2:], int(sys.argv[1]))):
        for name in group:
            print(f"{number}\t{name}")
