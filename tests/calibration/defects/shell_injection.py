# expects bandit:B602
def probe_run(command):
    import subprocess

    return subprocess.run(command, shell=True, check=True)
