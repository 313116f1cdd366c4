"""Enters mypy so that what it says of a file does not depend on what else it was asked about.

Within a circle of imports mypy goes by the order in which it met the modules, which depends on the files that it was asked
about, and what it finds there can depend on that. So the modules are loaded, put in the order of their names, and only then
judged. Otherwise this does what `mypy.main` does.

The first argument may be the folder of packages that mypy is to take for the installed ones. It would ask an interpreter for
them, and there is none in which they are installed; on its own path it would judge their files, and pass folders of stubs by.
"""

import io
import sys

PACKAGES = "--packages-in="


def enter(_tool):
    from mypy import build, main, pyinfo, util
    from mypy.errors import CompileError
    from mypy.fscache import FileSystemCache

    sys.setrecursionlimit(main.RECURSION_LIMIT)
    sys.stdout.reconfigure(errors="backslashreplace")
    cache = FileSystemCache()
    arguments = sys.argv[1:]
    packages = arguments.pop(0)[len(PACKAGES) :] if arguments and arguments[0].startswith(PACKAGES) else None
    sources, options = main.process_options(arguments, stdout=sys.stdout, stderr=sys.stderr, fscache=cache)
    if packages:
        pyinfo.getsearchdirs = lambda: ([], [packages])
        options.python_executable = sys.executable
    formatter = util.FancyFormatter(sys.stdout, sys.stderr, options.hide_error_codes, hide_success=True)
    said = []

    def tell(_file, messages, is_serious):
        said.extend(messages)
        main.show_messages(messages, sys.stderr if is_serious else sys.stdout, formatter, options)

    blocked = False
    loaded = None
    try:
        # To draw the graph it is loaded, and nothing more is done.
        options.dump_graph = True
        loaded = build.build(sources, options, None, tell, cache, io.StringIO(), sys.stderr)
        options.dump_graph = False
        judge(build, loaded.graph, loaded.manager)
    except CompileError as error:
        blocked = True
        if loaded:
            # While it loads, the messages are handed on already.
            tell(None, error.messages, not error.use_stdout)
    if loaded:
        loaded.manager.commit()
        loaded.manager.metastore.close()
    _, notes, _ = util.count_stats(said)
    # Without clearing millions of objects up.
    util.hard_exit(0 if notes == len(said) else 2 if blocked else 1)


def judge(build, graph, manager):
    for order, name in enumerate(sorted(graph)):
        graph[name].order = order
    build.process_graph(graph, manager)
    build.write_plugins_snapshot(manager)
