//! The complexity of Java's methods is lizard's: both are asked about the same published sources.

use std::collections::BTreeMap;
use std::process::Command;

use tapps_base::source::Source;
use tapps_rules::java;

use crate::corpus;
use crate::systems::{self, System};

/// Packages that are published with Java sources.
pub(crate) const PACKAGES: [&str; 5] =
    ["capacitor-android", "cordova-android", "cordova-plugin-file", "react-native-svg", "react-native-webview"];

/// Prints a line for each function: complexity, name, last line.
const DRIVER: &str = "
import sys
sys.path[:0] = sys.argv[2:]
import lizard
for found in lizard.analyze_file(sys.argv[1]).function_list:
    print(found.cyclomatic_complexity, found.name.split('::')[-1], found.end_line)
";

/// What lizard says of a file, by the name and the last line of each function.
fn ask_lizard(path: &std::path::Path) -> BTreeMap<(String, u32), u32> {
    let libraries = ["lizard", "pathspec", "pygments"].map(corpus::dir);
    let output = Command::new("python3").args(["-I", "-c", DRIVER]).arg(path).args(libraries).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let parse = |line: &str| {
        let mut words = line.split(' ');
        let complexity = words.next()?.parse().ok()?;
        let name = words.next()?.to_owned();
        Some(((name, words.next()?.parse().ok()?), complexity))
    };
    text.lines().filter_map(parse).collect()
}

#[test]
fn the_complexity_of_java_is_lizards() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let (mut all, mut different, mut unknown) = (0_usize, Vec::new(), 0_usize);
    for package in PACKAGES {
        let root = corpus::dir(package);
        for file in corpus::files(&root, "java") {
            let path = root.join(&file);
            let source = Source::new(file.as_str(), std::fs::read(&path).unwrap());
            let told = ask_lizard(&path);
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
