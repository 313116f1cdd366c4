"""Where calls lead, by static analysis with jedi: reads places, writes definitions.

Usage: python_oracle.py ROOT < places.json > answers.json

The input is a list of [file, line, column], 1-based; the answer to each is a list of [file, line, kind], where the file
is relative to ROOT (null for anything outside), and of a class also the constructor that a call of it runs.
"""

import json
import os
import sys

import jedi

ROOT = os.path.realpath(sys.argv[1])
SCRIPTS = {}
CONSTRUCTORS = {}


def script(path):
    if path not in SCRIPTS:
        SCRIPTS[path] = jedi.Script(path=path, project=PROJECT)
    return SCRIPTS[path]


def relative(path):
    path = os.path.realpath(str(path)) if path else ""
    return os.path.relpath(path, ROOT) if path.startswith(ROOT + os.sep) else None


def constructors(name):
    """The places of the `__init__` that making an instance of a class runs."""
    key = (str(name.module_path), name.line)
    if key not in CONSTRUCTORS:
        CONSTRUCTORS[key] = []
        with open(name.module_path, encoding="utf-8") as file:
            text = file.read()
        own = [part for part in name.full_name.split(".")]
        module = name.module_name.split(".")
        inner = ".".join(own[len(module):]) or name.name
        asked = jedi.Script(text + "\n" + inner + ".__init__\n", path=name.module_path, project=PROJECT)
        line = text.count("\n") + 2
        for found in asked.goto(line, len(inner) + 3, follow_imports=True):
            CONSTRUCTORS[key].append([relative(found.module_path), found.line, "constructor"])
    return CONSTRUCTORS[key]


def definitions(path, line, column):
    answers = []
    with open(path, encoding="utf-8") as file:
        if file.read().splitlines()[line - 1][column - 1:].startswith("__class__"):
            return []  # jedi sees the attribute, not the class it is called for
    try:
        names = script(path).goto(line, column - 1, follow_imports=True)
        if any(name.type in ("statement", "param", "instance", "property") for name in names):
            names = script(path).infer(line, column - 1)
        # Stubs that come with jedi speak of files of ROOT without saying where.
        for name in (name for name in names if "django-stubs" not in str(name.module_path)):
            answers.append([relative(name.module_path), name.line, name.type])
            if name.type == "class" and relative(name.module_path):
                answers.extend(constructors(name))
    except Exception as error:  # an answer that cannot be had is no answer
        print(f"{path}:{line}:{column}: {type(error).__name__}", file=sys.stderr)
        return []
    return answers


# Only the tree at hand and the standard library, whatever else this machine has installed.
STANDARD = [path for path in sys.path if path and "packages" not in path and os.path.realpath(path) != ROOT]
PROJECT = jedi.Project(ROOT, sys_path=[os.path.join(ROOT, "src"), ROOT, *STANDARD], smart_sys_path=False)
PLACES = json.load(sys.stdin)
json.dump([definitions(os.path.join(ROOT, place[0]), place[1], place[2]) for place in PLACES], sys.stdout)
