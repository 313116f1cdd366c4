//! The complexity of functions of C and C++ is lizard's: both are asked about the same published sources.

use std::path::{Path, PathBuf};

use tapps_base::source::Source;
use tapps_rules::c;
use tapps_rules::shape::FileShape;

use crate::corpus;
use crate::java_oracle::ask_lizard;
use crate::locked_crate::unpack_locked_crate;
use crate::systems::{self, System};

/// The endings of both languages.
pub(crate) const ENDINGS: [&str; 6] = ["c", "cc", "cpp", "h", "hh", "hpp"];
/// Packages that are published with sources in C; the first three are crates.
pub(crate) const C_PACKAGES: [&str; 5] = ["ring", "tikv-jemalloc-sys", "tree-sitter", "argon2-node", "oniguruma"];
/// Packages that are published with sources in C++.
pub(crate) const CPP_PACKAGES: [&str; 5] =
    ["canvas", "classic-level", "parcel-watcher", "re2-node", "react-native-reanimated"];
/// Files of one package that are asked about, evenly spread, unless all are asked for.
const PER_PACKAGE: usize = 60;

/// The folder of a package.
pub(crate) fn package_root(name: &str) -> PathBuf {
    if C_PACKAGES[..3].contains(&name) { unpack_locked_crate(name) } else { corpus::dir(name) }
}

/// The sources of a package, without tables that a generator wrote.
fn sources(root: &Path) -> Vec<String> {
    let mut files: Vec<String> = ENDINGS.iter().flat_map(|ending| corpus::files(root, ending)).collect();
    // Headers for Apple's systems are of Objective-C.
    files.retain(|file| std::fs::metadata(root.join(file)).unwrap().len() < 400_000 && !file.contains("/apple/"));
    files.sort();
    let step = (files.len() / PER_PACKAGE).max(1);
    systems::sample(files, step)
}

/// Compares every function of some packages. Prints what differs.
fn compare(packages: &[&str], least: usize) {
    let (mut all, mut different, mut unknown) = (0_usize, Vec::new(), 0_usize);
    let (mut files_read, mut unread) = (0_usize, Vec::new());
    println!(
        "| source | files | do not parse | functions | equal | not known to lizard |\n| --- | --- | --- | --- | --- | --- |"
    );
    for package in packages {
        let before = [files_read, unread.len(), all, different.len(), unknown];
        let root = package_root(package);
        let files = sources(&root);
        let paths: Vec<PathBuf> = files.iter().map(|file| root.join(file)).collect();
        for ((file, path), told) in files.iter().zip(&paths).zip(ask_lizard(&paths)) {
            let source = Source::new(file.as_str(), std::fs::read(path).unwrap());
            let FileShape { blocks, syntax_errors, .. } = c::analyze_c(&source);
            files_read += 1;
            if !syntax_errors.is_empty() {
                unread.push(format!("{package}/{file}:{}", syntax_errors[0].line));
            }
            for block in blocks {
                let name = block.name.rsplit('.').next().unwrap_or_default().to_owned();
                // It loses functions behind macros, and knows operators by other names.
                let Some(complexity) = told.get(&(name, block.end_line)) else {
                    unknown += 1;
                    continue;
                };
                all += 1;
                if *complexity != block.complexity {
                    different.push((
                        format!("{package}/{file}"),
                        block.name,
                        block.line,
                        *complexity,
                        block.complexity,
                    ));
                }
            }
        }
        let now = [files_read, unread.len(), all, different.len(), unknown];
        let [files, unread, all, different, unknown] = std::array::from_fn(|at| now[at] - before[at]);
        println!("| {package} | {files} | {unread} | {all} | {} | {unknown} |", all - different);
    }
    for (file, name, line, theirs, own) in &different {
        println!("{file}:{line} {name}: lizard {theirs}, here {own}");
    }
    println!(
        "{files_read} files, {} do not parse; {all} functions compared, {} differ, {unknown} are not known to lizard",
        unread.len(),
        different.len()
    );
    println!("not parsed: {unread:?}");
    assert!(all >= least, "{all}");
    assert!(different.len() * 100 <= all, "{different:?}");
    assert!(unknown * 5 <= all, "{unknown} of {all}");
    assert!(unread.len() * 10 <= files_read, "{unread:?}");
}

#[test]
fn the_complexity_of_c_is_lizards() {
    if systems::require(System::Node).is_some() {
        compare(&C_PACKAGES, 1_500);
    }
}

#[test]
fn the_complexity_of_cpp_is_lizards() {
    if systems::require(System::Node).is_some() {
        compare(&CPP_PACKAGES, 1_000);
    }
}
