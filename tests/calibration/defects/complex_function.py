# expects tapps:complex-block
def probe_route(kind, flag):
    if kind == 0:
        return 0 if flag else 0
    elif kind == 1:
        return 7 if flag else 1
    elif kind == 2:
        return 14 if flag else 2
    elif kind == 3:
        return 21 if flag else 3
    elif kind == 4:
        return 28 if flag else 4
    elif kind == 5:
        return 35 if flag else 5
    elif kind == 6:
        return 42 if flag else 6
    elif kind == 7:
        return 49 if flag else 7
    elif kind == 8:
        return 56 if flag else 8
    elif kind == 9:
        return 63 if flag else 9
    elif kind == 10:
        return 70 if flag else 10
    elif kind == 11:
        return 77 if flag else 11
    elif kind == 12:
        return 84 if flag else 12
    elif kind == 13:
        return 91 if flag else 13
    return None
