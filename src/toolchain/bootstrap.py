"""Runs one tool once. Arguments: the folder of modules, the tool's module, and the tool's own arguments.

`enter`, which stands before this, is the way into the tool (`entry_*.py`). It goes on a thread, because the stack of a main thread is whatever `ulimit -s` grants and decides how deep a text may nest.
"""

import sys
import threading

ended = []


def work():
    threading.stack_size(0)
    try:
        enter(name)
    except BaseException as error:
        ended.append(error)


lib, name, *rest = sys.argv[1:]
sys.path.insert(0, lib)
sys.argv = [name, *rest]
threading.stack_size(64 << 20)
thread = threading.Thread(target=work)
thread.start()
thread.join()
if ended:
    raise ended[0]
