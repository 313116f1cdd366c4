"""Edits real modules in ways that change no behaviour, or one thing only: edit.py EDIT SEED FOLDER.

Prints a line for each edit that was made: the file, and what was done to it.
"""

import ast
import builtins
import pathlib
import random
import re
import sys


class Module:
    """A module as text, with the places of its top-level statements."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines(keepends=True)
        self.tree = ast.parse(self.text)

    def span(self, node):
        """First and last line, with decorators and the comment lines directly above."""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        while first > 1 and self.lines[first - 2].startswith("#"):
            first -= 1
        return first - 1, node.end_lineno

    def source(self, node):
        first, last = self.span(node)
        return "".join(self.lines[first:last])

    def functions(self):
        return [node for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]

    def definitions(self):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return [node for node in self.tree.body if isinstance(node, kinds)]

    def without(self, nodes):
        gone = {line for node in nodes for line in range(*self.span(node))}
        return "".join(line for at, line in enumerate(self.lines) if at not in gone)


def names_in(nodes):
    found = set()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                found.add(inner.id)
    return found


def words_elsewhere(module, folder):
    """Every word of the other modules."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py") if path != module.path)
    return {word for text in texts for word in re.findall(r"\w+", text)}


def imports_of(module):
    """Bound name to the text of a statement that imports it alone."""
    found = {}
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[(alias.asname or alias.name).split(".")[0]] = ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                one = ast.ImportFrom(node.module, [alias], node.level)
                found[alias.asname or alias.name] = ast.unparse(one)
    return found


def movable(module, folder):
    """Functions that need nothing of their module but its imports, and that no other module knows."""
    known = words_elsewhere(module, folder)
    own = set(imports_of(module)) | set(dir(builtins))
    listed = names_in([n for n in module.tree.body if isinstance(n, ast.Assign)])
    fitting = []
    for node in module.functions():
        inner = {arg.arg for arg in ast.walk(node) if isinstance(arg, ast.arg)}
        inner |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        inner |= {n.name for n in ast.walk(node) if hasattr(n, "name") and isinstance(n.name, str)}
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        # Names may stand in annotations that are strings.
        used |= {w for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                 for w in re.findall(r"\w+", n.value) if len(n.value) < 40 and not w.isdigit()}
        unknown = node.name not in listed and node.name not in known
        if used - inner <= own and unknown and not node.decorator_list:
            fitting.append(node)
    return fitting


def without_unused_imports(text, used):
    """A text without the imports of names that only the code which was taken out, and uses `used`, needed."""
    tree = ast.parse(text)
    left = names_in(tree.body)
    for node in reversed(tree.body):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
            bound = lambda alias: (alias.asname or alias.name).split(".")[0]
            kept = [alias for alias in node.names if bound(alias) in left or bound(alias) not in used]
            lines = text.splitlines(keepends=True)
            if len(kept) < len(node.names):
                node.names = kept
                lines[node.lineno - 1 : node.end_lineno] = [ast.unparse(node) + "\n"] if kept else []
                text = "".join(lines)
    return text


def with_imports(text, imports):
    """A text with more imports below its own."""
    lines = text.splitlines(keepends=True)
    own = [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    last = max((node.end_lineno for node in own), default=0)
    lines[last:last] = [line + "\n" for line in imports]
    return "".join(lines)


def bound_names(module):
    """Names that the top level of a module binds in any way."""
    found = set(imports_of(module)) | {node.name for node in module.definitions()}
    stored = (n for n in ast.walk(module.tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    return found | {n.id for n in stored} | names_in(module.tree.body)


def is_lazy(module):
    """Whether annotations of a module are not evaluated."""
    return "from __future__ import annotations" in module.text


def hosts(module, chance, needed):
    """Modules beside this one that could take over code of it which needs these imports."""
    beside = sorted(path for path in module.path.parent.glob("*.py") if path != module.path and path.stem != "__init__")
    chance.shuffle(beside)
    for path in beside:
        host = Module(path)
        own = imports_of(host)
        knows = re.search(rf"\b{module.path.stem}\b", host.text) or path.stem in module.text
        clashes = any(name in bound_names(host) and own.get(name) != text for name, text in needed.items())
        special = any(word in host.text for word in ("__main__", "type: ignore", "__all__"))
        if not (knows or clashes or special) and own and is_lazy(host) == is_lazy(module):
            yield host


def move(module, chance, folder):
    """A function moves to a module that was there before."""
    if not (module.path.parent / "__init__.py").exists() or "type: ignore" in module.text:
        return None
    for node in movable(module, folder):
        used = names_in([node])
        needed = {name: text for name, text in imports_of(module).items() if name in used}
        for host in hosts(module, chance, needed):
            if node.name in bound_names(host):
                continue
            own = imports_of(host)
            missing = [text for name, text in needed.items() if name not in own]
            text = with_imports(host.text, missing)
            host.path.write_text(text.rstrip("\n") + "\n\n\n" + module.source(node), encoding="utf-8")
            text = without_unused_imports(module.without([node]), used)
            if node.name in names_in(ast.parse(text).body):
                text = with_imports(text, [f"from .{host.path.stem} import {node.name}"])
            module.path.write_text(text, encoding="utf-8")
            return f"{node.name} to {host.path.name}"
    return None


def comment(module, chance, folder):
    """Comments above statements and at the ends of lines."""
    out = []
    starts = {module.span(node)[0] for node in module.definitions()}
    for at, line in enumerate(module.lines):
        if at in starts:
            out.append("# This stands here since the beginning.\n")
        out.append(line)
    module.path.write_text("".join(out), encoding="utf-8")
    return "comments"


def reorder(module, chance, folder):
    """Two neighbouring functions change places."""
    body = module.tree.body
    names = [node.name for node in module.definitions()]
    pairs = [
        (a, b)
        for a, b in zip(body, body[1:])
        if isinstance(a, ast.FunctionDef) and isinstance(b, ast.FunctionDef)
        and names.count(a.name) == names.count(b.name) == 1
        and not (a.decorator_list or b.decorator_list)
        and a.name not in names_in(b.args.defaults) and b.name not in names_in(a.args.defaults)
    ]
    if not pairs:
        return None
    a, b = chance.choice(pairs)
    (a1, a2), (b1, b2) = module.span(a), module.span(b)
    lines = module.lines
    swapped = lines[:a1] + lines[b1:b2] + lines[a2:b1] + lines[a1:a2] + lines[b2:]
    module.path.write_text("".join(swapped), encoding="utf-8")
    return f"{a.name} after {b.name}"


def rename(module, chance, folder):
    """A function gets another name, in its whole file."""
    known = words_elsewhere(module, folder)
    attributes = {n.attr for n in ast.walk(module.tree) if isinstance(n, ast.Attribute)}
    attributes |= {n.arg for n in ast.walk(module.tree) if isinstance(n, (ast.arg, ast.keyword))}
    attributes |= {n.name for c in ast.walk(module.tree) if isinstance(c, ast.ClassDef) for n in c.body if hasattr(n, "name")}
    fitting = [n for n in module.functions() if n.name not in known | attributes and n.name != "main"]
    if not fitting:
        return None
    node = chance.choice(fitting)
    new = node.name + "_anew"
    module.path.write_text(re.sub(rf"\b{node.name}\b", new, module.text), encoding="utf-8")
    return f"{node.name} is {new}"


def reindent(module, chance, folder):
    """Two spaces instead of four."""
    inside = set()
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno > node.lineno:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    out = []
    for number, line in enumerate(module.lines, 1):
        depth = len(line) - len(line.lstrip(" "))
        out.append(line if number in inside else " " * (depth // 2) + line[depth:])
    text = "".join(out)
    if ast.dump(ast.parse(text)) != ast.dump(module.tree):
        return None
    module.path.write_text(text, encoding="utf-8")
    return "two spaces"


def reformat(module, chance, folder):
    """Everything is written anew from the tree; comments go."""
    text = ast.unparse(module.tree) + "\n"
    said = any(word in module.text for word in ("type: ignore", "noqa", "nosec"))
    # An `elif` in the place of an `else` with an `if` nests less, and is worth telling.
    flattened = re.search(r"else:\n\s+(#.*\n\s+)*if ", module.text)
    if ast.dump(ast.parse(text)) != ast.dump(module.tree) or said or flattened:
        return None
    module.path.write_text(text, encoding="utf-8")
    return "written anew"


def relocate(module, chance, folder):
    """A file that nothing else names gets another name."""
    if module.path.stem in words_elsewhere(module, folder):
        return None
    new = module.path.with_name(module.path.stem + "_elsewhere.py")
    module.path.rename(new)
    return f"now {new.name}"


def split(module, chance, folder):
    """Functions that need nothing of their module move to one of their own."""
    moved = movable(module, folder)
    if len(moved) < 2 or "type: ignore" in module.text:
        return None
    moved = moved[: max(2, len(moved) // 2)]
    new = module.path.with_name(module.path.stem + "_part.py")
    used, imports = names_in(moved), imports_of(module)
    head = [text for name, text in imports.items() if name in used]
    future = "from __future__ import annotations\n\n" if "from __future__ import annotations" in module.text else ""
    bodies = "\n\n".join(module.source(node).rstrip("\n") + "\n" for node in moved)
    new.write_text(future + "\n".join(head) + ("\n\n\n" if head else "") + bodies, encoding="utf-8")
    text = without_unused_imports(module.without(moved), used)
    left = names_in(ast.parse(text).body)
    wanted = sorted(node.name for node in moved if node.name in left)
    if wanted:
        text = with_imports(text, [f"from .{new.stem} import {', '.join(wanted)}"])
    module.path.write_text(text, encoding="utf-8")
    return f"{len(moved)} functions to {new.name}"


def delete(module, chance, folder):
    """A function is taken out."""
    fitting = [node for node in module.functions() if len(re.findall(rf"\b{node.name}\b", module.text)) == 1]
    if not fitting:
        return None
    node = chance.choice(fitting)
    module.path.write_text(module.without([node]), encoding="utf-8")
    return f"{node.name} is gone"


def main():
    edit, seed, folder = globals()[sys.argv[1]], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    chance = random.Random(seed)
    files = sorted(folder.rglob("*.py"))
    chance.shuffle(files)
    for path in files[: int(sys.argv[4]) if len(sys.argv) > 4 else 12]:
        if path.name == "__init__.py":
            continue
        done = edit(Module(path), chance, folder)
        if done:
            print(f"{path.relative_to(folder)}: {done}")


main()
