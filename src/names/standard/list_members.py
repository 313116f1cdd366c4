"""Lists what the classes of this Python's standard library hand down to classes that are derived from them.

Writes a line for each class, sorted: its name, its bases in parentheses, and the members that none of them has. Private names
are left out, and so are classes of which not every member can be known: those that answer for names which they do not have,
that are made by a metaclass of their own, or that set attributes by names they compute. Arguments are files of the same form
(of other Pythons), whose lines are joined with its own.
"""

import ast
import importlib
import inspect
import pkgutil
import sys
import textwrap
import types
import typing
import warnings

LEFT_OUT = {"antigravity", "distutils", "encodings", "idlelib", "lib2to3", "this", "test", "tkinter", "turtle", "turtledemo", "ensurepip", "__main__"}
METACLASSES = {"type", "ABCMeta", "EnumType", "EnumMeta"}
# They set attributes by computed names, but none that are not private.
SOUND = {"enum.Enum", "enum.Flag"}
# They hold whatever attributes somebody gives them.
HOLDERS = {"argparse.Namespace", "optparse.Values", "types.SimpleNamespace", "threading.local", "unittest.mock.NonCallableMock"}


def modules():
    names = set(sys.builtin_module_names) | {one.name for one in pkgutil.iter_modules() if one.name in sys.stdlib_module_names}
    for name in sorted(names):
        if name in LEFT_OUT or name.startswith("_"):
            continue
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        yield module
        for below in pkgutil.walk_packages(getattr(module, "__path__", []), name + ".", onerror=lambda _: None):
            if any(part.startswith("_") or part in LEFT_OUT or part == "tests" for part in below.name.split(".")):
                continue
            try:
                yield importlib.import_module(below.name)
            except Exception:
                continue


def assigned(cls):
    """Attributes that the methods of a class assign; none where names are computed."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except Exception:
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            if isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            if node.attr == "__dict__" and isinstance(node.ctx, ast.Store):
                return None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and is_own_table(node.value):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update":
            if is_own_table(node.func.value):
                return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            if not isinstance(node.args[1], ast.Constant):
                return None
    return found


def is_own_table(node):
    return isinstance(node, ast.Attribute) and node.attr == "__dict__" and getattr(node.value, "id", "") == "self"


def full_name(cls):
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def own_members(cls):
    """What a class binds itself; none where that cannot be known."""
    answers = any(name in vars(cls) for name in ("__getattr__", "__getattribute__"))
    by_python = isinstance(vars(cls).get("__getattribute__"), types.FunctionType) or "__getattr__" in vars(cls)
    if full_name(cls) in HOLDERS or full_name(cls) not in SOUND and answers and by_python or type(cls).__name__ not in METACLASSES:
        return None
    if full_name(cls) in SOUND:
        return {name for name in vars(cls) if not name.startswith("_")}
    more = assigned(cls) if cls.__module__ != "builtins" else set()
    return None if more is None else {name for name in {*vars(cls), *more} if not name.startswith("_")}


def main():
    classes, names = {}, {}

    def add(cls):
        if cls is object or cls in classes:
            return
        classes[cls] = own_members(cls)
        for base in cls.__bases__:
            add(base)

    for module in modules():
        for name, value in sorted(vars(module).items()):
            value = getattr(value, "__origin__", value) if module is typing else value
            if not isinstance(value, type) or name.startswith("_") or value is object:
                continue
            top = value.__module__.split(".")[0]
            if top.startswith("_") or module is typing or top == module.__name__.split(".")[0]:
                add(value)
                names[name if module.__name__ == "builtins" else f"{module.__name__}.{name}"] = value
    names["typing.TypedDict"], names["typing.NamedTuple"] = dict, tuple
    lines = {}
    known = lambda cls: classes.get(cls, set()) is not None and all(known(base) for base in cls.__bases__)
    for cls, own in classes.items():
        if known(cls):
            bases = [full_name(base) for base in cls.__bases__ if base is not object]
            lines[full_name(cls)] = (bases, own)
    for name, cls in names.items():
        if known(cls) and name not in lines:
            lines[name] = ([full_name(cls)], set())
    left_out = {name for name, cls in names.items() if not known(cls)} | {full_name(cls) for cls in classes if not known(cls)}
    for path in sys.argv[1:]:
        for line in open(path, encoding="utf-8"):
            head, _, members = line.rstrip("\n").partition(":")
            if head.startswith("-"):
                left_out.add(head[1:])
                continue
            name, _, bases = head.rstrip(")").partition("(")
            mine = lines.setdefault(name, ([], set()))
            mine[0].extend(base for base in bases.split(",") if base and base not in mine[0])
            mine[1].update(members.split())
    # What cannot be known in one Python is not known.
    while more := {name for name, (bases, _) in lines.items() if name in left_out or left_out.intersection(bases)}:
        left_out |= more
        for name in more:
            del lines[name]
    for name in sorted({*lines, *("-" + name for name in left_out)}):
        if name.startswith("-"):
            print(name)
            continue
        bases, own = lines[name]
        print(f"{name}({','.join(sorted(bases))}):{''.join(' ' + one for one in sorted(own))}")


warnings.simplefilter("ignore")
main()
