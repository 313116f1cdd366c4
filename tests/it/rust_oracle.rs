//! Cyclomatic complexity of Rust against lizard, over the functions of whole crates.
//!
//! lizard reads words and no syntax: it takes for branches the `where` of a signature, `?Sized`, the `||` of a closure without
//! parameters, `&&` before a type or a pattern, and the `for` of `impl … for` and `for<'a>`. These are counted by the driver
//! and taken off; what differs then is not explained.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tapps_base::source::Source;
use tapps_rules::rust::analyze_rust;

use crate::corpus;
use crate::locked_crate;

/// Crates that this program is built from.
const CRATES: [&str; 8] = ["axum", "hyper", "ignore", "indexmap", "serde_json", "tokio", "toml_edit", "url"];

/// Reads file names from standard input; of each function: line, complexity, and how many words were no branches.
const DRIVER: &str = r##"
import re, sys
sys.path[:0] = sys.argv[1:]
import lizard
sys.setrecursionlimit(20000)
BEFORE_CLOSURE = r"(?:[(,={;]\s*|\bmove\s+|\breturn\s+|=>\s*|\basync\s+)\|\|"
BEFORE_REFERENCE = r"(?:[(,:<=|>;{]\s*|\bmut\s+|\bin\s+|\breturn\s+)&&"
WORDS = [r"\bwhere\b", r"\?\s*Sized", BEFORE_CLOSURE, r"\bfor\s*<", BEFORE_REFERENCE, r"\bimpl\b[^{;]*?\bfor\b(?!\s*<)"]
for path in sys.stdin:
    path = path.rstrip("\n")
    lines = open(path, encoding="utf-8").read().split("\n")
    print("file", path)
    for found in lizard.analyze_file(path).function_list:
        code = "\n".join(lines[found.start_line - 1:found.end_line])
        code = re.sub(r"//[^\n]*", "", code)
        code = re.sub(r'b?"(\\.|[^"\\])*"', '""', code)
        code = re.sub(r"b?'(\\.|[^'\\])'", "' '", code)
        odd = sum(len(re.findall(word, code)) for word in WORDS)
        print(found.start_line, found.cyclomatic_complexity, odd)
"##;

type ByLine = BTreeMap<u32, Vec<(u32, u32)>>;

fn ask_lizard(paths: &[String]) -> BTreeMap<String, ByLine> {
    let mut child = Command::new("python3")
        .args(["-I", "-S", "-c", DRIVER])
        .args(["lizard@1.24.0", "pygments"].map(corpus::dir))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed to run lizard");
    let input: String = paths.iter().map(|path| format!("{path}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the driver of lizard failed");
    let mut answers: BTreeMap<String, ByLine> = BTreeMap::new();
    let mut file = String::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        if let Some(path) = line.strip_prefix("file ") {
            path.clone_into(&mut file);
            continue;
        }
        let numbers: Vec<u32> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        answers.entry(file.clone()).or_default().entry(numbers[0]).or_default().push((numbers[1], numbers[2]));
    }
    answers
}

#[test]
fn complexity_is_lizards_but_for_words_that_are_no_branches() {
    let paths: Vec<String> = CRATES
        .iter()
        .map(|name| locked_crate::unpack_locked_crate(name))
        .flat_map(|root| corpus::files(&root, "rs").into_iter().map(move |file| root.join(file).display().to_string()))
        .collect();
    let answers = ask_lizard(&paths);
    let (mut both, mut equal, mut explained, mut rest) = (0_u32, 0_u32, 0_u32, Vec::new());
    for path in &paths {
        let shape = analyze_rust(&Source::new("src/a.rs", std::fs::read(path).unwrap()));
        for block in &shape.blocks {
            let Some(told) = answers.get(path).and_then(|lines| lines.get(&block.line)) else { continue };
            both += 1;
            if told.iter().any(|(complexity, _)| *complexity == block.complexity) {
                equal += 1;
            } else if told.iter().any(|(complexity, odd)| *complexity == block.complexity + odd) {
                explained += 1;
            } else {
                rest.push(format!("{path}:{} {} {} {told:?}", block.line, block.name, block.complexity));
            }
        }
    }
    println!("{both} functions: {equal} equal, {explained} but for such words, {} otherwise", rest.len());
    rest.iter().take(20).for_each(|one| println!("{one}"));
    assert!(both > 8_000, "{both}");
    assert!(f64::from(equal + explained) >= 0.99 * f64::from(both), "{} of {both} differ", rest.len());
}
