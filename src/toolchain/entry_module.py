"""Enters a tool as `-m` does."""

import runpy


def enter(tool):
    runpy.run_module(tool, run_name="__main__", alter_sys=True)
