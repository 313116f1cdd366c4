//! The table of what Python's own classes hand down, held against a Python.

use std::process::Command;

use crate::toolchain_support::toolchain;

#[test]
fn this_python_has_no_member_that_is_not_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/names/standard");
    let tools = toolchain();
    let python = &tools.interpreter().unwrap().executable;
    let list = |files: &[String]| {
        let listed =
            Command::new(python).arg("-I").arg(format!("{folder}/list_members.py")).args(files).output().unwrap();
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        String::from_utf8(listed.stdout).unwrap()
    };
    let alone = list(&[]);
    assert!(alone.lines().filter(|line| !line.starts_with('-')).count() > 1_500, "{alone}");
    let file = format!("{folder}/members.txt");
    let (known, joined) = (std::fs::read_to_string(&file).unwrap(), list(&[file]));
    let differing: Vec<&str> = joined.lines().filter(|line| !known.lines().any(|known| known == *line)).collect();
    assert_eq!(differing, [""; 0]);
    assert_eq!(joined.lines().count(), known.lines().count());
}
