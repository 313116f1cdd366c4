//! Files of installed packages that are modules in compiled form.

/// The module that a file is the compiled form of: `name` of `name.so`, `name.cpython-312-x86_64-linux-gnu.so`, `name.pyd`
/// and `name.pyc`.
#[must_use]
pub fn compiled_module(file: &str) -> Option<&str> {
    let (module, rest) = file.split_once('.')?;
    (rest.ends_with("so") || rest.ends_with("pyd") || rest == "pyc").then_some(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiled_module_is_named_as_it_is_imported() {
        let compiled = ["a.so", "a.abi3.so", "a.cpython-312-x86_64-linux-gnu.so", "a.cp312-win_amd64.pyd", "a.pyc"];
        assert!(compiled.iter().all(|file| compiled_module(file) == Some("a")));
        for other in ["a.py", "a.cpython-312.pyc", "libz.so.1", "so", "a.pyi"] {
            assert_eq!(compiled_module(other), None, "{other}");
        }
    }
}
