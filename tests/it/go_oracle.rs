//! The complexity of Go's functions is lizard's: both are asked about the same published sources.

use std::path::PathBuf;

use tapps_base::source::Source;
use tapps_rules::go;

use crate::corpus;
use crate::java_oracle::{LizardFunction, list_functions_by_lizard};
use crate::systems::{self, System};

/// Go packages as Debian 12 has them.
pub(crate) const PACKAGES: [&str; 10] =
    ["cobra", "go-mysql", "go-net", "go-toml", "go-yaml", "logrus", "mux", "pflag", "prometheus-client", "zerolog"];
/// Files of one package that are asked about, evenly spread, unless all are asked for.
const PER_PACKAGE: usize = 60;

/// What lizard says of a function of Go. It takes a function that is written inside for one of its own, which gocyclo and this
/// program count for the one around it: what it says of those is added again.
fn complexity_by_lizard(told: &[LizardFunction], name: &str, end_line: u32) -> Option<u32> {
    let function = told.iter().rfind(|one| one.name == name && one.end_line == end_line)?;
    let inside = told.iter().filter(|one| {
        (one.line, one.end_line) != (function.line, function.end_line)
            && (function.line..=function.end_line).contains(&one.line)
            && one.end_line <= function.end_line
    });
    Some(function.complexity + inside.map(|one| one.complexity - 1).sum::<u32>())
}

#[test]
fn the_complexity_of_go_is_lizards() {
    if systems::require(System::DebianMirror).is_none() {
        return;
    }
    let (mut all, mut different, mut unknown) = (0_usize, Vec::new(), 0_usize);
    println!("| source | files | functions | equal | not known to lizard |\n| --- | --- | --- | --- | --- |");
    for package in PACKAGES {
        let before = [all, different.len(), unknown];
        let root = corpus::dir(package);
        let files = corpus::files(&root, "go");
        let step = (files.len() / PER_PACKAGE).max(1);
        let files = systems::sample(files, step);
        let paths: Vec<PathBuf> = files.iter().map(|file| root.join(file)).collect();
        for ((file, path), told) in files.iter().zip(&paths).zip(list_functions_by_lizard(&paths)) {
            let source = Source::new(file.as_str(), std::fs::read(path).unwrap());
            let shape = go::analyze_go(&source);
            assert!(shape.syntax_errors.is_empty(), "{package}/{file}: {:?}", shape.syntax_errors);
            for block in shape.blocks {
                let name = block.name.rsplit('.').next().unwrap_or_default();
                let Some(complexity) = complexity_by_lizard(&told, name, block.end_line) else {
                    unknown += 1;
                    continue;
                };
                all += 1;
                if complexity != block.complexity {
                    different.push((format!("{package}/{file}"), block.name, block.line, complexity, block.complexity));
                }
            }
        }
        let [functions, unequal, lost] = [all - before[0], different.len() - before[1], unknown - before[2]];
        println!("| {package} | {} | {functions} | {} | {lost} |", files.len(), functions - unequal);
    }
    for (file, name, line, theirs, own) in &different {
        println!("{file}:{line} {name}: lizard {theirs}, here {own}");
    }
    println!("{all} functions compared, {} differ, {unknown} are not known to lizard", different.len());
    assert!(all >= 3_000, "{all}");
    assert!(different.len() * 100 <= all, "{different:?}");
    assert!(unknown * 20 <= all, "{unknown} of {all}");
}
