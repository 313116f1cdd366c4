//! Which bytes of an interpreter count: its own and those of the standard library that the tools load, wherever they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tapps_toolchain::interpreter_bytes::{LOADED, PROBE};
use tapps_toolchain::{Interpreter, ToolchainSettings, manage};

use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, program, settings, stderr, stdout, toolchain};

/// Copies a CPython with what of its standard library a run can need; prints the folder of the copied modules.
const COPY: &str = "
import os, shutil, sys, sysconfig
home, executable = sys.argv[1], os.path.realpath(sys.executable)
library = sysconfig.get_paths()['stdlib']
names = ['test', 'tests', 'site-packages', 'dist-packages', 'idlelib', 'ensurepip', 'tkinter', 'lib2to3', 'config-*']
copied = os.path.join(home, 'lib', os.path.basename(library))
shutil.copytree(library, copied, symlinks=True, ignore=shutil.ignore_patterns(*names))
os.mkdir(os.path.join(home, 'bin'))
shutil.copy2(executable, os.path.join(home, 'bin'))
print(copied)
";

/// A CPython in a home of its own.
pub(crate) struct CopiedPython {
    home: tempfile::TempDir,
    pub(crate) program: PathBuf,
    /// The folder of its standard library.
    library: PathBuf,
}

impl CopiedPython {
    /// A copy of the one that the tests' tools run on.
    pub(crate) fn new() -> Self {
        let original = &toolchain().interpreter().unwrap().executable.clone();
        let home = tempfile::tempdir().unwrap();
        let output = Command::new(original).args(["-I", "-S", "-c", COPY]).arg(home.path()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let program = home.path().join("bin").join(original.file_name().unwrap());
        Self { program, library: stdout(&output).trim().into(), home }
    }

    pub(crate) fn settings(&self) -> ToolchainSettings {
        ToolchainSettings { python: Some(self.program.clone()), ..settings() }
    }

    fn found(&self) -> Interpreter {
        let toolchain = manage::inspect_toolchain(&self.settings(), &call()).unwrap();
        toolchain.interpreter().unwrap().clone()
    }

    /// Adds a line to a module of the standard library.
    pub(crate) fn change_module(&self, name: &str) {
        let path = self.library.join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "\n# changed\n").unwrap();
    }
}

/// Every other CPython of this machine that there are tools for, one for each release, with its version.
pub(crate) fn other_pythons() -> Vec<(PathBuf, String)> {
    let here = toolchain().interpreter().unwrap().version.clone();
    let mut found = systems::pythons();
    found.remove(&here);
    println!("other than {here}: {:?}", found.keys());
    found.into_iter().map(|(version, program)| (program, version)).collect()
}

#[test]
fn a_changed_module_of_the_standard_library_is_another_interpreter() {
    let original = toolchain().interpreter().unwrap().clone();
    let copy = CopiedPython::new();
    let before = copy.found();
    assert_eq!(before.executable, copy.program);
    assert_eq!(before.digest, original.digest, "the same CPython in another home");

    copy.change_module("ast.py");
    let changed = copy.found();
    assert_eq!(changed.sha256, before.sha256, "its program is the same");
    assert_ne!(changed.digest, before.digest);

    // One that no tool loads does not count.
    copy.change_module("turtle.py");
    assert_eq!(copy.found().digest, changed.digest);
}

#[test]
fn byte_code_that_is_not_its_source_counts_as_well() {
    let copy = CopiedPython::new();
    let before = copy.found();
    let write = "import sys, importlib.util, py_compile; s = sys.argv[1]; t = open(s).read(); c = importlib.util.cache_from_source(s); \
        open(s, 'w').write(t + sys.argv[2]); \
        py_compile.compile(s, cfile=c, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH); open(s, 'w').write(t)";
    let compile = |addition: &str| {
        let mut python = Command::new(&copy.program);
        let output = python.args(["-I", "-S", "-c", write]).arg(copy.library.join("ast.py")).arg(addition).output();
        assert!(output.as_ref().unwrap().status.success(), "{}", stderr(&output.unwrap()));
    };
    compile("");
    assert_eq!(copy.found().digest, before.digest, "byte code of the source is the source");
    compile("\nplanted = True\n");
    assert_ne!(copy.found().digest, before.digest);
}

/// A program that is a stub before a shared library holds the path of the home it was built for.
#[test]
fn the_path_inside_a_stub_is_no_part_of_the_interpreter() {
    let copy = CopiedPython::new();
    let original = toolchain().interpreter().unwrap().clone();
    let folder_of_library = original.executable.parent().unwrap().with_file_name("lib");
    let built_for = folder_of_library.to_str().unwrap().as_bytes();
    let mut bytes = fs::read(&copy.program).unwrap();
    let Some(at) = bytes.windows(built_for.len()).position(|window| window == built_for) else {
        systems::left_out("this CPython's program names no folder of a shared library");
        return;
    };
    let short = tempfile::Builder::new().prefix("p").rand_bytes(4).tempdir_in("/tmp").unwrap();
    let link = short.path().join("l");
    let library = fs::read_dir(&folder_of_library).unwrap().map(|entry| entry.unwrap().path());
    for file in library.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("libpython")) {
        fs::copy(&file, copy.home.path().join("lib").join(file.file_name().unwrap())).unwrap();
    }
    std::os::unix::fs::symlink(copy.home.path().join("lib"), &link).unwrap();
    let mut new = link.to_str().unwrap().as_bytes().to_vec();
    assert!(new.len() <= built_for.len());
    new.resize(built_for.len(), 0);
    bytes[at..at + new.len()].copy_from_slice(&new);
    fs::remove_file(&copy.program).unwrap();
    crate::toolchain_support::script(&copy.home.path().join("bin"), "other", "");
    fs::write(copy.home.path().join("bin/other"), bytes).unwrap();
    fs::rename(copy.home.path().join("bin/other"), &copy.program).unwrap();

    let found = copy.found();
    assert_ne!(found.sha256, original.sha256);
    assert_eq!(found.digest, original.digest);
}

#[test]
fn results_name_the_interpreter_beside_the_toolchain() {
    let project = folder();
    fs::write(project.path().join("a.py"), "import os\n\n\ndef double(x: int) -> str:\n    return x * 2\n").unwrap();
    fs::write(project.path().join("b.ts"), "export const one: number = 1;\n").unwrap();
    let score = |settings: &ToolchainSettings, more: &[&str]| -> Value {
        let mut command = program(settings);
        command.args(["score", "a.py", "b.ts", "--format", "json", "-q", "--no-cache"]).args(more);
        let output = command.current_dir(project.path()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
    };
    let here = score(&settings(), &[]);
    let stamp = &here["files"][0]["toolchain"];
    let tools = toolchain();
    let interpreter = tools.interpreter().unwrap();
    assert_eq!(stamp["interpreter"]["version"], interpreter.version.as_str());
    assert_eq!(stamp["interpreter"]["digest"], interpreter.digest.as_deref().unwrap());
    assert_eq!(here["files"][1]["toolchain"]["interpreter"], Value::Null, "no interpreter reads a script");
    assert_eq!(here["files"][1]["toolchain"]["fingerprint"], stamp["fingerprint"]);

    let copy = CopiedPython::new();
    copy.change_module("ast.py");
    let there = score(&copy.settings(), &[]);
    assert_eq!(there["files"][0]["toolchain"]["fingerprint"], stamp["fingerprint"], "the tools are the same");
    assert_ne!(there["files"][0]["toolchain"]["interpreter"]["digest"], stamp["interpreter"]["digest"]);
    assert_eq!(there["files"][0]["findings"], here["files"][0]["findings"]);

    let quick = score(&settings(), &["--quick"]);
    assert_eq!(quick["files"][0]["toolchain"]["interpreter"], Value::Null);
    assert_eq!(quick["files"][0]["toolchain"]["fingerprint"], stamp["fingerprint"]);
}

/// Runs a tool as `bootstrap.py` does, and prints the files of all modules that were loaded in the end.
const RUN: &str = "
import os, runpy, sys, threading
lib, name, out, *rest = sys.argv[1:]
def told():
    files = {getattr(getattr(m, '__spec__', None), 'origin', None) for m in list(sys.modules.values()) if hasattr(m, '__dict__') and '__spec__' in vars(m)}
    open(out, 'w').write('\\n'.join(sorted(f for f in files if f and os.path.isfile(f) and not f.startswith(lib))))
# mypy ends without clearing up.
end = os._exit
os._exit = lambda code: (told(), end(code))
sys.path.insert(0, lib)
sys.argv = [name, *rest]
try:
    runpy.run_module(name, run_name='__main__', alter_sys=True)
except SystemExit:
    pass
os._exit(0)
";

#[test]
fn real_runs_load_nothing_that_is_not_counted() {
    let tools = toolchain();
    let interpreter = &tools.interpreter().unwrap().executable;
    let lib = tools.root().join("lib");
    let folder = folder();
    let flags = ["-P", "-s", "-S", "-B", "-c"];
    let output = Command::new(interpreter).args(flags).arg(PROBE).arg(&lib).args(LOADED).env_clear().output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let counted: BTreeSet<String> = said["modules"]
        .as_object()
        .unwrap()
        .values()
        .map(|module| module["path"].as_str().unwrap().to_owned())
        .collect();
    assert!(counted.len() > 80, "{counted:?}");

    let code = folder.path().join("code.py");
    fs::write(&code, "import os, json, subprocess\n\n\ndef f(x: int) -> str:\n    assert x\n    return f\"{x!r}\" % subprocess.call(x, shell=True)\n").unwrap();
    let odd = folder.path().join("odd.py");
    fs::write(&odd, "# coding: latin-1\nx = '\\xe9'\ndef (:\n").unwrap();
    let cache = folder.path().join("cache").display().to_string();
    let mypy = ["--sqlite-cache", "--cache-dir", cache.as_str(), "--output", "json", "--follow-imports=silent"];
    let bandit = ["--format", "json"];
    let runs: [(&str, &[&str]); 3] = [("mypy", &mypy), ("bandit", &bandit), ("radon", &["mi", "--json"])];
    for (tool, arguments) in runs {
        for file in [&code, &odd] {
            let out = folder.path().join("modules");
            let mut command = Command::new(interpreter);
            command.args(flags).arg(RUN).arg(&lib).arg(tool).arg(&out).args(arguments).arg(file).env_clear();
            let output = command.env("LC_ALL", "C.UTF-8").current_dir(folder.path()).output().unwrap();
            let loaded = fs::read_to_string(&out).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
            let uncounted: Vec<&str> = loaded.lines().filter(|file| !counted.contains(*file)).collect();
            assert!(uncounted.is_empty(), "{tool} on {}: {uncounted:?}", file.display());
        }
    }
}

#[test]
fn a_second_process_starts_no_interpreter_to_know_it() {
    let Some(strace) = systems::require(System::Strace) else { return };
    let tools = toolchain();
    let folder = folder();
    let watched = |name: &str| {
        let log = folder.path().join(name);
        let from = program(&settings());
        let mut command = Command::new(&strace);
        crate::toolchain_support::inherit(&mut command, &from);
        command.args(["-f", "-qq", "-e", "trace=execve", "-o"]).arg(&log).arg(from.get_program());
        let output = command.args(["toolchain", "verify", "--json"]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read_to_string(&log).unwrap().lines().filter(|line| line.contains("python")).count()
    };
    drop(tools);
    watched("first");
    assert_eq!(watched("second"), 0, "{}", read_text(&folder.path().join("second")));
}

fn read_text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
