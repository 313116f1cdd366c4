//! The workflows, personas and rules that are part of the program.

use std::sync::LazyLock;

use super::library::{ContentFile, ContentFiles};

macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        vec![$(ContentFile {
            path: concat!("builtin/", $folder, "/", $name, ".md").to_owned(),
            text: include_str!(concat!("../builtin/", $folder, "/", $name, ".md")).to_owned(),
        }),*]
    };
}

/// The built-in files.
pub(super) fn builtin_workflow_files() -> &'static ContentFiles {
    static FILES: LazyLock<ContentFiles> = LazyLock::new(|| ContentFiles {
        workflows: files!("workflows": "bug-fix" "feature-development" "investigation" "refactor" "release" "security-review"),
        agents: files!("agents": "architect" "debugger" "implementer" "investigator" "release-manager" "reviewer" "security-analyst" "supervisor" "tester"),
        rules: files!("rules": "change-safety" "honest-reports" "quality-gate" "security" "testing"),
    });
    &FILES
}
