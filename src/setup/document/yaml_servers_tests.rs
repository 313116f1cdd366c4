use std::path::Path;

use rstest::rstest;

use super::*;
use crate::setup::client::ServerEntryShape;
use crate::setup::launch::Launch;

fn put_with(text: &str, launch: &Launch) -> Result<String> {
    let wanted = WantedServerEntry {
        servers: "extensions",
        name: "tapps",
        launch,
        shape: ServerEntryShape::NamedExtension,
        besides: &[("type", "stdio")],
    };
    set_server(text, "config.yaml", &wanted)
}

fn put(text: &str) -> Result<String> {
    put_with(text, &Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap())
}

const FRESH: &str = "extensions:\n  tapps:\n    enabled: true\n    name: tapps\n    type: stdio\n    cmd: /opt/tapps-mcp\n    args:\n      - serve\n";

const FLOW: &str = "tapps: {enabled: true, name: tapps, type: stdio, cmd: /opt/tapps-mcp, args: [serve]}";

fn indented(lines: &str, by: usize) -> String {
    lines.lines().map(|line| format!("{}{line}\n", " ".repeat(by))).collect()
}

#[rstest]
#[case("", FRESH)]
#[case("# mine\n", &format!("# mine\n{FRESH}"))]
#[case("---\n", &format!("---\n{FRESH}"))]
#[case("GOOSE_MODEL: x # fast", &format!("GOOSE_MODEL: x # fast\n{FRESH}"))]
#[case("a: |\n  one\n\n# end\n", &format!("a: |\n  one\n\n# end\n{FRESH}"))]
#[case("extensions: {}\nb: 1\n", &format!("extensions: {{{FLOW}}}\nb: 1\n"))]
#[case("extensions: { a: {cmd: b}, } # c\n", &format!("extensions: {{ a: {{cmd: b}}, {FLOW}, }} # c\n"))]
#[case("extensions: null\n", &format!("extensions: {{{FLOW}}}\n"))]
#[case("{a: 1}", &format!("{{a: 1, extensions: {{{FLOW}}}}}"))]
#[case("extensions: # none\nb: 1\n", &FRESH.replace("extensions:\n", "extensions: # none\n").replace("- serve\n", "- serve\nb: 1\n"))]
fn a_new_entry_is_put_beside_what_stands_there(#[case] before: &str, #[case] after: &str) {
    let once = put(before).unwrap();
    assert_eq!(once, after);
    assert_eq!(put(&once).unwrap(), once, "the second time there is nothing to do");
}

#[test]
fn comments_order_indentation_and_line_ends_stay() {
    let entry = FRESH.strip_prefix("extensions:\n").unwrap();
    let (above, below) = (
        "# goose\nextensions:\n    developer: # builtin\n        enabled: true\n        type: 'builtin'\n        note: |\n          a\n          b\n",
        "    # more to come\n\nGOOSE_MODE: \"auto\"   # last\n",
    );
    let once = put(&format!("{above}{below}")).unwrap();
    assert_eq!(once, format!("{above}{}{below}", indented(entry, 2)));
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(put(&windows(&format!("\u{feff}{above}{below}"))).unwrap(), windows(&format!("\u{feff}{once}")));
}

#[test]
fn an_entry_of_ours_keeps_what_the_user_said_in_it() {
    let old = "extensions:\n  quality: {cmd: /old/tapps-mcp, args: [serve, --read-only], timeout: 20}\n";
    assert_eq!(put(old).unwrap(), old.replace("/old", "/opt"));
    let block = "extensions:\n  tapps:\n    cmd: '/old/tapps-mcp' # moved\n    enabled: false\n    args:\n    - serve\n    - \"--toolsets\"\n    - all # of them\n    envs: {K: v}\n";
    let moved = put(block).unwrap();
    assert_eq!(moved, block.replace("'/old/tapps-mcp'", "/opt/tapps-mcp"));
    let nix = Launch::from_nix_flake(Path::new("/bin/nix"), "path:/flake").unwrap();
    let through_nix = put_with(&moved, &nix).unwrap();
    let entry = &list_yaml_servers(&through_nix, "config.yaml", "extensions").unwrap()[0];
    assert_eq!((entry.command.as_deref(), entry.arguments.len()), (Some("/bin/nix"), 8), "{through_nix}");
    assert!(through_nix.contains("    - all # of them\n    envs: {K: v}\n"), "{through_nix}");
    assert_eq!(
        list_yaml_servers(&put(&through_nix).unwrap(), "c", "extensions").unwrap()[0].arguments,
        ["serve", "--toolsets", "all"]
    );
    for without in [
        "extensions:\n  tapps:\n    cmd: tapps-mcp\n",
        "extensions: {tapps: {cmd: tapps-mcp}}\n",
        "extensions:\n  tapps:\n    args:\n    cmd: tapps-mcp\n",
    ] {
        let entry = &list_yaml_servers(&put(without).unwrap(), "c", "extensions").unwrap()[0];
        assert_eq!(
            (entry.command.as_deref(), entry.arguments.as_slice()),
            (Some("/opt/tapps-mcp"), &["serve".to_owned()][..])
        );
    }
}

#[rstest]
#[case("a: [1\nb: 2\n", "config.yaml:2:")]
#[case("a: 1\n\tb: 2\n", "config.yaml:1:4: while scanning a plain scalar, found a tab")]
#[case("a: 1\nb: 2\na: 3\n", "config.yaml:3:1: this key stands here twice")]
#[case("a: 1\n---\nb: 2\n", "config.yaml:3:1: a second document begins")]
#[case("a: 1\n...\n", "config.yaml:2:1: the document ends here")]
#[case("- a\n", "`the whole` in config.yaml is not a map")]
#[case("extensions: [a]\n", "`extensions` in config.yaml is not a map")]
#[case("extensions: &x\n  a: {cmd: b}\nother: *x\n", "`extensions` in config.yaml is not free of anchors")]
#[case("x: &x\n  a: 1\nextensions: *x\n", "`extensions` in config.yaml is not free of anchors")]
#[case(
    "extensions:\n  tapps: &t\n    cmd: /old/tapps-mcp\n    args: [serve]\nothers: *t\n",
    "`tapps` in config.yaml is not free of anchors"
)]
#[case("extensions:\n  tapps:\n    cmd: npx\n", "the entry `tapps` in config.yaml starts something else")]
#[case("extensions:\n  tapps:\n    cmd: tapps-mcp\n    args: serve\n", "`args` in config.yaml is not a list")]
#[case(&"a: [".repeat(20_000), "config.yaml:")]
fn what_cannot_be_edited_is_left_alone(#[case] text: &str, #[case] message: &str) {
    let error = put(text).unwrap_err();
    assert!(error.message().starts_with(message), "{error}");
}

#[rstest]
#[case("serve", "serve")]
#[case("--read-only", "\"--read-only\"")]
#[case("No", "\"No\"")]
#[case("C:\\a b", "\"C:\\\\a b\"")]
#[case("", "\"\"")]
fn texts_are_quoted_where_they_would_mean_something_else(#[case] text: &str, #[case] written: &str) {
    assert_eq!(scalar(text), written);
    let read = parse_yaml(&format!("a: {written}\n"), "a").unwrap().unwrap();
    assert_eq!(read.entry("a").unwrap().1.text(), Some(text));
}
