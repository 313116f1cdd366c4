//! The command line of bandit, with everything outside the scanned bytes neutralised.

/// Contents of the configuration file that must be passed: an empty mapping, since an empty file makes bandit fail.
///
/// Without `-c` nothing is read from `pyproject.toml`, but with a file of our own that also holds for later versions.
pub const CONFIG: &str = "{}\n";

/// Contents of the ini file that must be passed, so that no `.bandit` file of the project is looked for.
pub const INI: &str = "[bandit]\n";

/// The arguments after `python -I -m bandit`, for `files` relative to the working directory, which is the project root.
///
/// `config` and `ini` are paths of files that hold [`CONFIG`] and [`INI`]. bandit must run with an environment that holds
/// nothing but `PYTHONHASHSEED`, `LC_ALL` and the like.
///
/// - `--exit-zero`: findings are not a failure of the run; any other exit code is.
/// - `-x ""`: the default exclusions match by substring and would hide every file below `.github/` as lying in `.git`.
/// - files are named one by one and never found by recursion, since a `.bandit` file is honoured for folders.
/// - `--` keeps a file called `-r.py` from being an option.
/// - suppressions in the file itself (`# nosec`) stay in force: they are part of the bytes that are judged.
#[must_use]
pub fn bandit_arguments(config: &str, ini: &str, files: &[&str]) -> Vec<String> {
    let fixed = [
        "--format",
        "json",
        "--quiet",
        "--exit-zero",
        "--number",
        "1",
        "--aggregate",
        "file",
        "--exclude",
        "",
        "--configfile",
        config,
        "--ini",
        ini,
        "--",
    ];
    // `-` alone means standard input; a folder in front makes it a file.
    let named = files.iter().map(|&file| if file == "-" { "./-" } else { file });
    fixed.into_iter().chain(named).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_last_and_cannot_be_options() {
        let arguments = bandit_arguments("/c.yaml", "/i.ini", &["-r.py", "-", "a.py"]);
        let end = arguments.iter().position(|a| a == "--").unwrap();
        assert_eq!(arguments[end + 1..], ["-r.py", "./-", "a.py"]);
        let exclude = arguments.iter().position(|a| a == "--exclude").unwrap();
        assert_eq!(arguments[exclude + 1], "");
        let config = arguments.iter().position(|a| a == "--configfile").unwrap();
        assert_eq!(arguments[config + 1], "/c.yaml");
    }
}
