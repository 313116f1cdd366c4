//! Where this user's own configuration is; the environment is read in one function.

use std::ffi::OsString;
use std::path::PathBuf;

/// The systems whose conventions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Linux,
    MacOs,
    Windows,
}

impl System {
    /// The one this program was built for.
    #[must_use]
    pub const fn current() -> Self {
        if cfg!(target_os = "macos") {
            Self::MacOs
        } else if cfg!(windows) {
            Self::Windows
        } else {
            Self::Linux
        }
    }
}

/// A folder below which clients keep what they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The home folder.
    Home,
    /// `~/.config` on every Unix; the roaming folder on Windows.
    Config,
    /// Where graphical programs keep their settings: as [`Base::Config`], but for macOS.
    Settings,
    /// `CODEX_HOME`, or `~/.codex`.
    Codex,
}

/// The user's folders, as far as the environment names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    system: System,
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    roaming: Option<PathBuf>,
    codex: Option<PathBuf>,
    environment: Option<PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::from_lookup(System::current(), |name| std::env::var_os(name))
    }

    /// As [`Surroundings::of_process`], with another system and another way to look a variable up.
    #[must_use]
    pub fn from_lookup(system: System, lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name| lookup(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // A relative path in these variables means nothing to a program that is started elsewhere.
        let absolute = |name| path(name).filter(|path| path.is_absolute());
        let home = path(if system == System::Windows { "USERPROFILE" } else { "HOME" });
        Self {
            system,
            home,
            config: absolute("XDG_CONFIG_HOME"),
            roaming: path("APPDATA"),
            codex: absolute("CODEX_HOME"),
            environment: absolute("VIRTUAL_ENV").or_else(|| absolute("CONDA_PREFIX")),
        }
    }

    /// The environment of Python that is active, by `activate` or conda.
    #[must_use]
    pub const fn active_environment(&self) -> Option<&PathBuf> {
        self.environment.as_ref()
    }

    /// The folder, when the environment tells where it is.
    #[must_use]
    pub fn folder(&self, base: Base) -> Option<PathBuf> {
        let below_home = |name: &str| self.home.as_ref().map(|home| home.join(name));
        match (base, self.system) {
            (Base::Home, _) => self.home.clone(),
            (Base::Codex, _) => self.codex.clone().or_else(|| below_home(".codex")),
            (Base::Config | Base::Settings, System::Windows) => {
                self.roaming.clone().or_else(|| below_home("AppData/Roaming"))
            }
            (Base::Settings, System::MacOs) => below_home("Library/Application Support"),
            (Base::Config | Base::Settings, _) => self.config.clone().or_else(|| below_home(".config")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(System::Linux, &[("HOME", "/h")], Base::Home, "/h")]
    #[case(System::Linux, &[("HOME", "/h")], Base::Settings, "/h/.config")]
    #[case(System::Linux, &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")], Base::Config, "/x")]
    #[case(System::Linux, &[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")], Base::Config, "/h/.config")]
    #[case(System::MacOs, &[("HOME", "/h")], Base::Settings, "/h/Library/Application Support")]
    #[case(System::MacOs, &[("HOME", "/h")], Base::Config, "/h/.config")]
    #[case(System::Windows, &[("USERPROFILE", "/u"), ("APPDATA", "/r"), ("HOME", "/h")], Base::Settings, "/r")]
    #[case(System::Windows, &[("USERPROFILE", "/u"), ("HOME", "/h")], Base::Home, "/u")]
    #[case(System::Linux, &[("HOME", "/h"), ("CODEX_HOME", "/c")], Base::Codex, "/c")]
    fn folders_follow_the_system(
        #[case] system: System,
        #[case] variables: &[(&str, &str)],
        #[case] base: Base,
        #[case] expected: &str,
    ) {
        let lookup = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        assert_eq!(Surroundings::from_lookup(system, lookup).folder(base).as_deref(), Some(Path::new(expected)));
    }

    #[test]
    fn without_a_home_there_is_none() {
        assert_eq!(Surroundings::from_lookup(System::Linux, |_| None).folder(Base::Config), None);
    }
}
