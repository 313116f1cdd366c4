"""Runs one tool many times: once for each line of input, in a fork of this process, which has loaded its modules.

Arguments: the folder of modules, the tool's module, and the modules to load before the first request. `enter`, which stands
before this, is the way into the tool (`entry_*.py`).
A request is one line of JSON, and so is its answer; `protocol.rs` says what they hold.
"""

import base64
import gc
import importlib
import json
import os
import resource
import select
import signal
import sys
import threading
import traceback


def serve():
    lib, tool, *modules = sys.argv[1:]
    sys.path.insert(0, lib)
    for module in modules:
        importlib.import_module(module)
    # The collector never looks again at what is loaded now, so that forks keep sharing its pages.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        status, stdout, stderr = fork(tool, request)
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        answer = {"id": request["id"], "status": status, "resident": resident}
        answer["stdout"] = base64.b64encode(stdout).decode()
        answer["stderr"] = base64.b64encode(stderr).decode()
        say(json.dumps(answer).encode() + b"\n")


def say(line):
    while line:
        line = line[os.write(1, line) :]


def fork(tool, request):
    """Does a request in a process of its own; gives how that ended and what it said."""
    out, err = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        end(run(tool, request, out[1], err[1]))
    os.close(out[1])
    os.close(err[1])
    stdout, stderr = listen(child, out[0], err[0], request["output"])
    _, status = os.waitpid(child, 0)
    return status, stdout, stderr


def listen(child, out, err, most):
    said = {out: bytearray(), err: bytearray()}
    still_open = [out, err]
    while still_open:
        for pipe in select.select(still_open, [], [])[0]:
            chunk = os.read(pipe, 1 << 16)
            said[pipe] += chunk
            if not chunk:
                still_open.remove(pipe)
                os.close(pipe)
            elif len(said[pipe]) > most:
                os.kill(child, signal.SIGKILL)
    return said[out], said[err]


def run(tool, request, out, err):
    """Becomes the process that the plain command would have started, and gives its exit code."""
    ended = []

    def work():
        # As many frames deep as in bootstrap.py, so that a text is too deep for both or for neither.
        threading.stack_size(0)
        try:
            enter(tool)
        except BaseException as error:
            ended.append(error)

    try:
        surround(request, out, err)
        sys.argv = [tool, *request["arguments"]]
        threading.stack_size(64 << 20)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        if ended:
            raise ended[0]
        return 0
    except SystemExit as wanted:
        if wanted.code is None or isinstance(wanted.code, int):
            return (wanted.code or 0) & 0xFF
        print(wanted.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1


def surround(request, out, err):
    null = os.open(os.devnull, os.O_RDONLY)
    for opened, standard in ((null, 0), (out, 1), (err, 2)):
        os.dup2(opened, standard)
    # Nothing else is left open, above all not the ends that would keep a pipe of this process from closing.
    os.closerange(3, max(null, out, err) + 3)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = request["memory"] if hard == resource.RLIM_INFINITY else min(request["memory"], hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    if request["cpu"] is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        granted = sys.maxsize if hard == resource.RLIM_INFINITY else hard
        resource.setrlimit(resource.RLIMIT_CPU, (min(request["cpu"], granted), min(request["cpu"] + 10, granted)))
    # The caller ends this process when its time is over; this holds when the caller cannot.
    signal.alarm(request["seconds"])
    os.environ.update(request["environment"])
    os.chdir(request["folder"])


def end(code):
    """Ends without clearing a whole interpreter up, which takes as long as the work."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except OSError:
            code = code or 120
    os._exit(code)


serve()
