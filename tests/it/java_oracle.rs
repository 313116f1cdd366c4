//! The complexity of Java's methods is lizard's: both are asked about the same published sources.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tapps_base::source::Source;
use tapps_rules::java;

use crate::corpus;
use crate::systems::{self, System};

/// Packages that are published with Java sources.
pub(crate) const PACKAGES: [&str; 5] =
    ["capacitor-android", "cordova-android", "cordova-plugin-file", "react-native-svg", "react-native-webview"];

/// Reads names of files, and prints a line for each of their functions: number of the file, complexity, name, first and last line.
const DRIVER: &str = "
import sys
sys.path[:0] = sys.argv[1:]
import lizard
for number, path in enumerate(sys.stdin.read().splitlines()):
    for found in lizard.analyze_file(path).function_list:
        print(number, found.cyclomatic_complexity, found.name.split('::')[-1], found.start_line, found.end_line)
";

/// A function as lizard tells of it.
pub(crate) struct LizardFunction {
    pub(crate) name: String,
    pub(crate) complexity: u32,
    pub(crate) line: u32,
    pub(crate) end_line: u32,
}

/// What lizard says of each file, by the name and the last line of each function.
pub(crate) fn ask_lizard(paths: &[PathBuf]) -> Vec<BTreeMap<(String, u32), u32>> {
    let of_file = |functions: Vec<LizardFunction>| {
        functions.into_iter().map(|one| ((one.name, one.end_line), one.complexity)).collect()
    };
    list_functions_by_lizard(paths).into_iter().map(of_file).collect()
}

/// The functions of each file, in lizard's order.
pub(crate) fn list_functions_by_lizard(paths: &[PathBuf]) -> Vec<Vec<LizardFunction>> {
    let libraries = ["lizard", "pathspec", "pygments"].map(corpus::dir);
    let mut command = Command::new("python3");
    command.args(["-I", "-c", DRIVER]).args(libraries).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let names: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
    // It reads all of them before it says anything.
    child.stdin.take().unwrap().write_all(names.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "lizard failed");
    let mut told: Vec<Vec<LizardFunction>> = paths.iter().map(|_| Vec::new()).collect();
    for text in String::from_utf8_lossy(&output.stdout).lines() {
        let [number, complexity, name, line, end] = text.split(' ').collect::<Vec<_>>()[..] else { continue };
        let (Ok(number), Ok(complexity), Ok(line), Ok(end_line)) =
            (number.parse::<usize>(), complexity.parse(), line.parse(), end.parse())
        else {
            continue;
        };
        told[number].push(LizardFunction { name: name.to_owned(), complexity, line, end_line });
    }
    told
}

#[test]
fn the_complexity_of_java_is_lizards() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let (mut all, mut different, mut unknown) = (0_usize, Vec::new(), 0_usize);
    for package in PACKAGES {
        let root = corpus::dir(package);
        let files = corpus::files(&root, "java");
        let paths: Vec<PathBuf> = files.iter().map(|file| root.join(file)).collect();
        for ((file, path), told) in files.iter().zip(&paths).zip(ask_lizard(&paths)) {
            let source = Source::new(file.as_str(), std::fs::read(path).unwrap());
            for block in java::analyze_java(&source).blocks {
                let name = block.name.rsplit('.').next().unwrap_or_default().to_owned();
                // It takes some annotations and anonymous classes for functions, and loses those inside.
                let Some(complexity) = told.get(&(name, block.end_line)) else {
                    unknown += 1;
                    continue;
                };
                all += 1;
                if *complexity != block.complexity {
                    different.push((file.clone(), block.name, *complexity, block.complexity));
                }
            }
        }
    }
    println!("{all} methods compared, {} differ, {unknown} are not known to lizard: {different:?}", different.len());
    assert!(all > 1_500, "{all}");
    assert!(different.len() * 100 <= all, "{different:?}");
    assert!(unknown * 10 <= all, "{unknown} of {all}");
}
