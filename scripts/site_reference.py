"""Reference pages of the documentation site, made from what compilers and type checkers read."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "pliant"
HEADERS = ROOT / "include" / "pliant"

# --- Python -----------------------------------------------------------------------------------------------


def signature(node):
    """`name(arguments) -> result` of a function."""
    arguments = ast.unparse(node.args)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){result}"


def sentence(node):
    """Docstring of a class or function as a paragraph, indented parts as text blocks."""
    text = ast.get_docstring(node) or ""
    parts = []
    for part in re.split(r"\n\s*\n", text):
        indented = all(line.startswith("    ") for line in part.splitlines())
        parts.append(f"```text\n{part}\n```" if indented and part else part)
    return "\n\n".join(filter(None, parts))


def shown(name):
    return not name.startswith("_") or name == "__init__"


def class_text(node, docs, level):
    """A class: what it says, attributes, methods."""
    text = [f"{'#' * level} class `{node.name}`", docs.get(node.name, "") or sentence(node)]
    attributes = [
        item for item in node.body if isinstance(item, ast.AnnAssign) and shown(getattr(item.target, "id", "_"))
    ]
    if attributes:
        rows = ["| attribute | type |", "|---|---|"]
        for item in attributes:
            kind = ast.unparse(item.annotation).replace("|", "\\|")
            rows.append(f"| `{item.target.id}` | `{kind}` |")
        text.append("\n".join(rows))
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef) and shown(item.name)]
    for item in methods:
        text.append(f"```text\n{signature(item)}\n```")
        text.append(docs.get(f"{node.name}.{item.name}", "") or sentence(item))
    return text


def public_names(path):
    """__all__ of a module, as written."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    raise ValueError(f"{path} has no __all__")


def docstrings():
    """What bindings say about themselves, by name: the compiled module has it, stubs do not."""
    try:
        from pliant import _pliant
    except ImportError:
        return {}
    found = {}
    for name, thing in vars(_pliant).items():
        # nanobind puts the signature first
        text = re.sub(rf"^{re.escape(name)}\(.*\n*", "", (getattr(thing, "__doc__", None) or "")).strip()
        found[name] = text
        if isinstance(thing, type):
            for method, inner in vars(thing).items():
                text = getattr(inner, "__doc__", None) or ""
                found[f"{name}.{method}"] = re.sub(rf"^{re.escape(method)}\(.*\n*", "", text).strip()
    return found


def python_page():
    """Names of `pliant`, from the stubs of the compiled module and the Python files beside it."""
    wanted = public_names(PACKAGE / "__init__.py")
    docs = docstrings()
    known = {}
    for path in [PACKAGE / "_pliant.pyi", *sorted(PACKAGE.glob("_*.py"))]:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and (node.name not in known or path.suffix == ".py"):
                known[node.name] = node
    text = [
        "# Python reference",
        "Made from the stubs and docstrings of the package `pliant`. [Python](python.md) is the page to read first; "
        "arrays are in [fields of a Model](fields.md) and [fields of State and Data](state.md). "
        "[MuJoCo's names](mujoco_reference.md) have a page of their own.",
    ]
    functions = [name for name in wanted if isinstance(known.get(name), ast.FunctionDef)]
    classes = [name for name in wanted if isinstance(known.get(name), ast.ClassDef)]
    text.append("## Functions")
    for name in functions:
        text += [
            f"### `{name}`",
            f"```text\n{signature(known[name])}\n```",
            sentence(known[name]) or docs.get(name, ""),
        ]
    text.append("## Classes")
    for name in classes:
        text += class_text(known[name], docs, 3)
    for module in ("envs", "viewer/__init__"):
        tree = ast.parse((PACKAGE / f"{module}.py").read_text())
        title = "pliant." + module.removesuffix("/__init__")
        text += [f"## `{title}`", sentence(tree)]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and shown(node.name):
                text += [f"### `{node.name}`", f"```text\n{signature(node)}\n```", sentence(node)]
            elif isinstance(node, ast.ClassDef) and shown(node.name):
                text += class_text(node, {}, 3)
    return "\n\n".join(filter(None, text)) + "\n"


def mujoco_page():
    """Names of `pliant.mujoco`, from its stub."""
    text = [
        "# Python reference: MuJoCo's names",
        "Made from the stub of `pliant.mujoco`. Meanings are MuJoCo's; [compatibility](compatibility.md) has every "
        "difference.",
    ]
    tree = ast.parse((PACKAGE / "mujoco" / "__init__.pyi").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and shown(node.name)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and shown(node.name)]
    text.append("## Functions")
    text.append("```text\n" + "\n".join(signature(node) for node in functions) + "\n```")
    text.append("## Classes")
    for node in classes:
        text += class_text(node, {}, 3)
    return "\n\n".join(filter(None, text)) + "\n"


# --- C++ --------------------------------------------------------------------------------------------------

LIST = re.compile(r'#define (\w+)\(.*?\n#include "pliant/(\w+\.def)"\n#undef \1\n', re.DOTALL)


def header_text(path):
    """(what a header is about, its declarations without guards, includes and private parts)."""
    text = path.read_text()
    about = []
    lines = text.splitlines()[1:]
    while lines and lines[0].startswith("//"):
        about.append(lines.pop(0).removeprefix("//").removeprefix(" "))
    body = "\n".join(line for line in lines if not line.startswith("#include <") and not re.match(
        r'#include "pliant/\w+\.h"', line))  # fmt: skip
    body = LIST.sub(lambda match: f"  // … one per line of {match[2]}\n", body + "\n")
    body = re.sub(r"^ private:\n.*?(?=^\};)", "", body, flags=re.MULTILINE | re.DOTALL)
    body = re.sub(r"\n{3,}", "\n\n", body).strip()
    return "\n".join(about).strip(), body


def cpp_page():
    text = [
        "# C++ reference",
        "Made from `include/pliant/*.h`: what each header declares. `pliant/pliant.h` includes all of them but "
        "`pliant_c.h`. [C++ and C](cpp.md) is the page to read first.",
    ]
    for path in sorted(HEADERS.glob("*.h")):
        if path.name in ("pliant.h", "pliant_c.h"):
            continue
        about, body = header_text(path)
        text += [f"## `pliant/{path.name}`", f"```text\n{about}\n```" if about else "", f"```cpp\n{body}\n```"]
    c = (HEADERS / "pliant_c.h").read_text()
    text += ["## `pliant/pliant_c.h`", f"```c\n{c.strip()}\n```"]
    return "\n\n".join(filter(None, text)) + "\n"


def pages():
    """Names and texts of all reference pages."""
    return {
        "python_reference.md": python_page(),
        "mujoco_reference.md": mujoco_page(),
        "cpp_reference.md": cpp_page(),
    }
