"""Says as JSON which files of this interpreter the tools run on: its shared library, the modules of its standard library
that they load, and what decides where those are found.

Arguments: the folder of the tools' modules, and the modules that a run loads. One that cannot be loaded is left out: what
it would have needed is then not there either.
"""

import importlib
import os
import runpy
import sys
import sysconfig
import threading


def load(lib, names):
    sys.path.insert(0, lib)
    # A text may name any encoding it is written in.
    encodings = {name.partition(".")[0] for name in os.listdir(os.path.dirname(sys.modules["encodings"].__file__))}
    for name in [*names, *(f"encodings.{name}" for name in sorted(encodings) if not name.startswith("__"))]:
        try:
            importlib.import_module(name)
        except Exception:
            pass
    # What this interpreter was built with is asked for in runs, and stands in a module of its own.
    sysconfig.get_config_vars()


def is_other_code(spec, path):
    """True when the byte code that is loaded is not that of the source beside it."""
    with open(path, "rb") as source:
        text = source.read()
    return spec.loader.get_code(spec.name) != spec.loader.source_to_code(text, path)


def modules(lib, places):
    """Each file of the standard library that was loaded: its name there, its path, its byte code, and whether that is
    other than the source's."""
    found, compiled = {}, []
    for module in list(sys.modules.values()):
        spec = vars(module).get("__spec__") if hasattr(module, "__dict__") else None
        path = getattr(spec, "origin", None)
        if not path or not spec.has_location or os.path.abspath(path).startswith(lib + os.sep):
            continue
        path = os.path.abspath(path)
        place = max((place for place in places if path.startswith(place + os.sep)), key=len, default="")
        cached = spec.cached if path.endswith(".py") else None
        name = os.path.relpath(path, place) if place else spec.name
        if cached and os.path.isfile(cached) and os.path.isfile(path):
            compiled.append((name, spec, path))
        # A module inside an archive is as its archive is.
        found[name] = {"path": path if os.path.isfile(path) else place, "cached": cached, "other": False}
    for name in with_other_code(compiled):
        found[name]["other"] = True
    return found


def with_other_code(compiled):
    """The names of those whose byte code is not that of their source. Compiling them takes most of the time, so another
    core has a half of them, in a fork of this process."""
    own, others = compiled[::2], compiled[1::2]
    reading, child = fork(others)
    names = [name for name, spec, path in own if is_other_code(spec, path)]
    said = None
    if child:
        with os.fdopen(reading, "rb") as answer:
            said = answer.read()
        _, status = os.waitpid(child, 0)
        said = said if status == 0 else None
    if said is None:
        return names + [name for name, spec, path in others if is_other_code(spec, path)]
    return names + [others[int(at)][0] for at in said.split()]


def fork(others):
    """Starts the work on some modules; gives where its answer can be read, the positions of those with other code, and
    its process, which is none where it cannot be started."""
    if (os.cpu_count() or 1) < 2 or not hasattr(os, "fork"):
        return None, None
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None, None
    if child:
        os.close(writing)
        return reading, child
    code = 1
    try:
        found = [at for at, (_, spec, path) in enumerate(others) if is_other_code(spec, path)]
        with os.fdopen(writing, "wb") as answer:
            answer.write(" ".join(map(str, found)).encode())
        code = 0
    finally:
        os._exit(code)


def libraries():
    """The shared libraries that hold the interpreter itself, when its program is but a stub before them."""
    try:
        with open("/proc/self/maps") as maps:
            mapped = {line[line.index("/") :].rstrip("\n") for line in maps if "/" in line}
        found = [path for path in mapped if os.path.basename(path).startswith("libpython")]
    except OSError:
        folders = sysconfig.get_config_vars("PYTHONFRAMEWORKPREFIX", "LIBDIR")
        names = sysconfig.get_config_vars("INSTSONAME", "LDLIBRARY")
        found = [os.path.join(folder or "", name or "") for folder in folders for name in names]
        found = [path for path in found if not path.endswith(".a")]
    return sorted({os.path.realpath(path) for path in found if os.path.isfile(path)})


def main():
    lib, *names = sys.argv[1:]
    places = [os.path.abspath(place) for place in sys.path if place]
    load(lib, names)
    found = modules(os.path.abspath(lib), places)
    folders = {os.path.dirname(module["path"]) for module in found.values()}
    import json

    print(json.dumps({"libraries": libraries(), "modules": found, "places": sorted({*places, *folders})}))


main()
