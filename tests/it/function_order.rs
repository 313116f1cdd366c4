//! What every start runs lies side by side in an optimised program: `packaging/cc`, by which this project is linked.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Functions of a crate that are no more than a path, in the order of the list; one may stand there with several sizes.
fn listed(crate_name: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("packaging/order/x86_64-linux.txt")).unwrap();
    let of_crate = text.lines().filter_map(|line| line.split_once('\t')?.1.split_once('\t'));
    let names = of_crate.filter(|(of, _)| *of == crate_name).map(|(_, name)| name);
    let plain = |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b':');
    let mut seen = HashSet::new();
    names.filter(plain).filter(|name| seen.insert(*name)).map(str::to_owned).collect()
}

/// The symbol by which the compiler would know a function, with a digest of its crate that is not that of the list.
fn symbol(path: &str) -> String {
    let parts: Vec<String> = path.split("::").map(|part| format!("{}{part}", part.len())).collect();
    let modules = "Nt".repeat(parts.len() - 2);
    format!("_RNv{modules}Cs1234567890a_{}", parts.concat())
}

/// The folder in which rustc keeps its linker under the name by which a C compiler finds it.
fn linker_folder() -> String {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    format!("{}/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld", sysroot.trim())
}

/// The functions of a program by their addresses, of `names`.
fn linked_order(program: &Path, names: &[String]) -> Vec<String> {
    let shown = Command::new("nm").arg("--numeric-sort").arg(program).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    let symbols = shown.lines().filter_map(|line| line.split_whitespace().nth(2));
    symbols.filter(|symbol| names.iter().any(|name| name == symbol)).map(str::to_owned).collect()
}

/// Links functions of a crate, in the order of `written`, to a program called `output`.
fn link(folder: &Path, crate_name: &str, written: &[String], output: &str) -> PathBuf {
    let run = |command: &mut Command| {
        let done = command.output().unwrap();
        assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let source = folder.join("program.c");
    let functions = written.iter().map(|name| format!("int {name}(void) {{ return 1; }}\n")).collect::<String>();
    fs::write(&source, functions + "int main(void) { return 0; }\n").unwrap();
    let (object, program) = (folder.join("program.o"), folder.join(output));
    run(Command::new("cc").args(["-ffunction-sections", "-c", "-o"]).arg(&object).arg(&source));
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let library = program.with_file_name(format!("lib{crate_name}-0123456789abcdef.rlib"));
    run(Command::new("ar").arg("rcs").arg(&library).arg(&object));
    run(Command::new(root().join("packaging/cc"))
        .args([&format!("-B{}", linker_folder()), "-fuse-ld=lld", "-o"])
        .arg(&program)
        .arg("-Wl,--whole-archive")
        .arg(&library)
        .arg("-Wl,--no-whole-archive"));
    run(&mut Command::new(&program));
    program
}

#[test]
fn functions_of_a_program_lie_in_the_order_of_the_list_and_others_behind_them() {
    let folder = tempfile::tempdir().unwrap();
    let first: Vec<String> = listed("tokio").iter().take(4).map(|path| symbol(path)).collect();
    assert_eq!(first.len(), 4);
    let other = symbol("other::function");
    let written: Vec<String> = std::iter::once(other.clone()).chain(first.iter().rev().cloned()).collect();
    let order_in = |crate_name: &str, output: &str| {
        let output = format!("{output}-0123456789abcdef");
        linked_order(&link(folder.path(), crate_name, &written, &output), &written)
    };
    let expected: Vec<String> = first.into_iter().chain([other]).collect();
    assert_eq!(order_in("tokio", "release/deps/tapps_mcp"), expected);
    // Functions of another crate, another program, and one that is not optimised.
    assert_eq!(order_in("another", "release/deps/tapps_mcp"), written);
    assert_eq!(order_in("tokio", "release/deps/another"), written);
    assert_eq!(order_in("tokio", "debug/deps/tapps_mcp"), written);
}

/// The crates in which functions of a name are found, of those that libraries hold.
fn crates_with(name: &str, libraries: &[PathBuf]) -> String {
    let script = "import sys; sys.path.insert(0, 'packaging'); from lib.order import functions_in; \
        print(sorted(f.crate for _, f in functions_in(sys.argv[2:]) if f.name == sys.argv[1]))";
    let mut python = Command::new("python3");
    python.args(["-B", "-c", script, name]).args(libraries).current_dir(root());
    let output = python.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The standard library has code for linkers beside its functions, for which `nm` may have a plugin of another compiler.
#[test]
fn functions_of_the_standard_library_are_found() {
    let libraries = fs::read_dir(Path::new(&linker_folder()).join("../../lib")).unwrap();
    let standard = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    };
    let libraries: Vec<PathBuf> = libraries.map(|entry| entry.unwrap().path()).filter(standard).collect();
    assert_eq!(crates_with("std::rt::lang_start_internal", &libraries), "['']\n");
}

/// What is compiled into each crate that uses it has one symbol in all of them.
#[test]
fn a_function_is_found_in_every_crate_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let libraries = ["another", "tokio"].map(|crate_name| {
        let output = "release/deps/program-0123456789abcdef";
        let program = link(folder.path(), crate_name, &[symbol("serde::read")], output);
        program.with_file_name(format!("lib{crate_name}-0123456789abcdef.rlib"))
    });
    assert_eq!(crates_with("serde::read", &libraries), "['another', 'tokio']\n");
}
