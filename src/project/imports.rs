//! What a single file imports.

use super::reach::ModuleFacts;

/// The modules that a file imports, as they are written, for languages that are understood; those of the file's own
/// package are left out.
#[must_use]
pub fn imported_modules(path: &str, bytes: &[u8]) -> Vec<String> {
    let imports = ModuleFacts::from_bytes(path, bytes, false).imports;
    imports.into_iter().filter(|import| import.level == 0).map(|import| import.module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_both_languages_are_named() {
        let python = b"import requests.auth\nfrom .near import x\nfrom numpy import array\n";
        assert_eq!(imported_modules("a.py", python), ["requests.auth", "numpy"]);
        assert_eq!(
            imported_modules("a.ts", b"import { z } from 'zod';\nconst fs = require('node:fs');\n"),
            ["zod", "node:fs"]
        );
        assert_eq!(imported_modules("a.txt", b"import x"), [""; 0]);
    }
}
