//! The fourth table: what it costs to find what stands in several places.

use std::sync::Arc;

use tapps_coderef::codebase::Codebase;
use tapps_coderef::duplicates::families::find_families;
use tapps_coderef::duplicates::repeats::{ComparedFile, RepeatIndex};
use tapps_coderef::duplicates::statement::FileStatements;
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::memory::CodeMemory;
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::cost::{self, timed};

/// Processor seconds with nothing kept.
const FRESH_CPU: f64 = 2.0;
/// Wall seconds after an edit.
const EDITED: f64 = 0.05;

/// Prints the table.
pub(crate) fn table() {
    println!("\n| tree | files | statements | families | what | figure | bar |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let folder = tempfile::tempdir().unwrap();
    let from = corpus::dir("django");
    for file in corpus::files(&from, "py") {
        let target = folder.path().join(&file);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(from.join(&file), target).unwrap();
    }
    let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
    let call = cost::call();
    let fresh =
        Codebase::new(Arc::clone(&boundary)).with_options(ScanOptions { fresh: true, ..ScanOptions::default() });
    let families = |codebase: &Codebase| {
        let listed = codebase.statements(&call).unwrap();
        let files: Vec<(u64, &FileStatements)> = listed.iter().map(|file| (0, &file.reading.statements)).collect();
        let statements: usize = files.iter().map(|(_, file)| file.statements.len()).sum();
        (files.len(), statements, find_families(&files).len())
    };
    let (files, statements, found) = families(&fresh);
    let row = |what: &str, value: f64, bar: f64, unit: &str| {
        let over = if value <= bar { "" } else { ", OVER" };
        println!("| django | {files} | {statements} | {found} | {what} | {value:.3} {unit} | {bar} {unit}{over} |");
    };
    row(
        "families, nothing kept",
        timed(3, || {
            families(&fresh);
        })
        .0,
        FRESH_CPU,
        "CPU s",
    );
    let memory = Arc::new(CodeMemory::default());
    let kept = Codebase::new(Arc::clone(&boundary)).remembering(&memory);
    let edited = folder.path().join("django/forms/forms.py");
    let text = std::fs::read_to_string(&edited).unwrap();
    families(&kept);
    // Only files that nobody has touched for a while are told by their stamps.
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    families(&kept);
    let mut count = 0;
    let after_edit = cost::median(9, || {
        count += 1;
        std::fs::write(&edited, format!("{text}\nEDITED = {count}\n")).unwrap();
        families(&kept);
    });
    row("families after an edit", after_edit, EDITED, "s");
    let listed = kept.statements(&call).unwrap();
    let compared: Vec<ComparedFile> = listed
        .iter()
        .map(|file| ComparedFile {
            path: file.path.clone(),
            statements: Arc::new(file.reading.statements.clone().without_names()),
        })
        .collect();
    let of_scores = cost::median(9, || {
        let index = RepeatIndex::from_files(compared.clone());
        let all: usize = compared.iter().map(|file| index.repeats_in(&file.path, &file.statements).len()).sum();
        assert!(all > 0);
    });
    row("repeats of all files, for their scores", of_scores, EDITED, "s");
}
