//! The systems and Python versions that the lock covers.

use serde::{Deserialize, Serialize};

use tapps_base::{Error, ErrorCode, Result};

tapps_base::wire_enum! {
    /// A machine that tools are locked for, in Nix's spelling.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum System {
        Aarch64Darwin = "aarch64-darwin",
        Aarch64Linux = "aarch64-linux",
        X86_64Linux = "x86_64-linux",
    }
}

impl System {
    /// The system this program was built for.
    ///
    /// # Errors
    /// `tool_unavailable` when no tools are locked for it.
    pub fn current() -> Result<Self> {
        match (std::env::consts::ARCH, std::env::consts::OS) {
            ("x86_64", "linux") => Ok(Self::X86_64Linux),
            ("aarch64", "linux") => Ok(Self::Aarch64Linux),
            ("aarch64", "macos") => Ok(Self::Aarch64Darwin),
            (arch, os) => {
                let message = format!("no tools are locked for {arch}-{os} yet");
                Err(Error::new(ErrorCode::ToolUnavailable, message).hint(
                    "run on x86_64-linux (on Windows in its subsystem for Linux), aarch64-linux or aarch64-darwin",
                ))
            }
        }
    }

    /// `platform.machine()` and `sys.platform` of a Python that fits.
    pub(super) const fn python_names(self) -> (&'static str, &'static str) {
        match self {
            Self::Aarch64Darwin => ("arm64", "darwin"),
            Self::Aarch64Linux => ("aarch64", "linux"),
            Self::X86_64Linux => ("x86_64", "linux"),
        }
    }

    /// The npm package with the program of a tool for this system; `name` is that of the package for all systems.
    pub(super) fn npm_package(self, name: &str) -> String {
        let (os, machine) = self.node_names();
        match name {
            "typescript" => format!("@typescript/typescript-{os}-{machine}"),
            _ => format!("@{name}/{os}-{machine}"),
        }
    }

    /// Platform tags for programs linked against the system's C library, most wanted first.
    pub(super) const fn dynamic_platforms(self) -> &'static [&'static str] {
        match self {
            Self::Aarch64Darwin => &["macosx_14_0_arm64"],
            Self::Aarch64Linux => &["manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"],
            Self::X86_64Linux => {
                &["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux1_x86_64"]
            }
        }
    }

    /// Platform tags for tools of a project's own, most wanted first: whatever their authors publish for this system.
    pub(super) const fn published_platforms(self) -> &'static [&'static str] {
        match self {
            Self::Aarch64Darwin => &["macosx_14_0_arm64"],
            Self::Aarch64Linux => &[
                "manylinux_2_39_aarch64",
                "manylinux_2_38_aarch64",
                "manylinux_2_37_aarch64",
                "manylinux_2_36_aarch64",
                "manylinux_2_35_aarch64",
                "manylinux_2_34_aarch64",
                "manylinux_2_31_aarch64",
                "manylinux_2_28_aarch64",
                "manylinux_2_27_aarch64",
                "manylinux_2_26_aarch64",
                "manylinux_2_24_aarch64",
                "manylinux_2_17_aarch64",
                "manylinux2014_aarch64",
                "musllinux_1_2_aarch64",
                "musllinux_1_1_aarch64",
            ],
            Self::X86_64Linux => &[
                "manylinux_2_39_x86_64",
                "manylinux_2_38_x86_64",
                "manylinux_2_37_x86_64",
                "manylinux_2_36_x86_64",
                "manylinux_2_35_x86_64",
                "manylinux_2_34_x86_64",
                "manylinux_2_31_x86_64",
                "manylinux_2_28_x86_64",
                "manylinux_2_27_x86_64",
                "manylinux_2_26_x86_64",
                "manylinux_2_24_x86_64",
                "manylinux_2_17_x86_64",
                "manylinux2014_x86_64",
                "manylinux_2_12_x86_64",
                "manylinux2010_x86_64",
                "manylinux_2_5_x86_64",
                "manylinux1_x86_64",
                "musllinux_1_2_x86_64",
                "musllinux_1_1_x86_64",
            ],
        }
    }

    /// What npm calls this system: `process.platform` and `process.arch` of a Node that runs on it.
    #[must_use]
    pub const fn node_names(self) -> (&'static str, &'static str) {
        match self {
            Self::Aarch64Darwin => ("darwin", "arm64"),
            Self::Aarch64Linux => ("linux", "arm64"),
            Self::X86_64Linux => ("linux", "x64"),
        }
    }

    /// Platform tags for programs that need nothing from the system.
    pub(super) const fn static_platforms(self) -> &'static [&'static str] {
        match self {
            Self::Aarch64Darwin => &["macosx_14_0_arm64"],
            Self::Aarch64Linux => &["musllinux_1_2_aarch64"],
            Self::X86_64Linux => &["musllinux_1_2_x86_64"],
        }
    }
}

impl std::str::FromStr for System {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse_word(text, "no tools are locked for the system")
    }
}

tapps_base::wire_enum! {
    /// A CPython minor version that tools are locked for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum PythonTag {
        Cp311 = "cp311",
        Cp312 = "cp312",
        Cp313 = "cp313",
        Cp314 = "cp314",
    }
}

impl PythonTag {
    /// Every tag in the order in which installed tools are looked for when there is no interpreter.
    pub const PREFERRED: [Self; 4] = [Self::Cp313, Self::Cp312, Self::Cp314, Self::Cp311];

    /// The version as `3.13`.
    #[must_use]
    pub const fn dotted_version(self) -> &'static str {
        match self {
            Self::Cp311 => "3.11",
            Self::Cp312 => "3.12",
            Self::Cp313 => "3.13",
            Self::Cp314 => "3.14",
        }
    }

    /// The name of the command, such as `python3.13`.
    pub(super) const fn command_name(self) -> &'static str {
        match self {
            Self::Cp311 => "python3.11",
            Self::Cp312 => "python3.12",
            Self::Cp313 => "python3.13",
            Self::Cp314 => "python3.14",
        }
    }

    /// The tag of a CPython version such as `3.13.1`, when tools are locked for it.
    #[must_use]
    pub fn of_version(version: &str) -> Option<Self> {
        let mut parts = version.splitn(3, '.');
        let (major, minor) = (parts.next()?, parts.next()?);
        Self::ALL.into_iter().find(|tag| tag.dotted_version().split_once('.') == Some((major, minor)))
    }
}

impl std::str::FromStr for PythonTag {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match Self::ALL.into_iter().find(|tag| tag.dotted_version() == text) {
            Some(tag) => Ok(tag),
            None => Self::parse_word(text, "no tools are locked for the Python tag"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_versions() {
        for (version, tag) in [
            ("3.11.2", Some(PythonTag::Cp311)),
            ("3.14.0", Some(PythonTag::Cp314)),
            ("3.13", Some(PythonTag::Cp313)),
            ("3.1.3", None),
            ("3.10.13", None),
            ("2.7.18", None),
            ("3", None),
        ] {
            assert_eq!(PythonTag::of_version(version), tag, "{version}");
        }
    }

    #[test]
    fn the_spelling_is_the_serialised_word() {
        for tag in PythonTag::ALL {
            assert_eq!(serde_json::to_value(tag).unwrap(), tag.as_str());
            assert_eq!(tag.as_str().parse::<PythonTag>().unwrap(), tag);
        }
        for system in System::ALL {
            assert_eq!(serde_json::to_value(system).unwrap(), system.as_str());
        }
        let error = "cp312x".parse::<PythonTag>().unwrap_err();
        assert!(error.body().hint.as_deref().unwrap().contains("cp312"));
    }
}
