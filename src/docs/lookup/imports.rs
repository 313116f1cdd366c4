//! Which libraries a source file uses.

use std::collections::BTreeSet;

use super::project::Project;
use tapps_project::imported_modules;
use tapps_project::packages::Ecosystem;
use tapps_project::versions::normalize_library_name;

/// Modules that are called otherwise than the package that brings them, for where it is not installed. Sorted.
const IMPORTED_AS: &[(&str, &str)] = &[
    ("attr", "attrs"),
    ("bs4", "beautifulsoup4"),
    ("cv2", "opencv-python"),
    ("dateutil", "python-dateutil"),
    ("dotenv", "python-dotenv"),
    ("jose", "python-jose"),
    ("jwt", "pyjwt"),
    ("magic", "python-magic"),
    ("multipart", "python-multipart"),
    ("PIL", "pillow"),
    ("psycopg2", "psycopg2-binary"),
    ("rest_framework", "djangorestframework"),
    ("serial", "pyserial"),
    ("skimage", "scikit-image"),
    ("sklearn", "scikit-learn"),
    ("yaml", "pyyaml"),
];

/// The libraries behind the imports of a file, sorted; only those that the project pins or has installed.
pub(super) fn libraries(project: &Project, file: &str, bytes: &[u8]) -> Vec<String> {
    let is_python = file.ends_with(".py") || file.ends_with(".pyi");
    let known = project.libraries();
    let found = imported_modules(file, bytes).into_iter().filter_map(|module| {
        if is_python {
            let top = module.split('.').next().unwrap_or(&module);
            let brought = IMPORTED_AS.iter().find(|(module, _)| *module == top).map_or(top, |(_, package)| package);
            let named = normalize_library_name(Ecosystem::PyPi, brought);
            let same = known.contains(&(Ecosystem::PyPi, named.as_str())).then_some(named);
            return project.library_of_import(top).map(str::to_owned).or(same);
        }
        let package = package_of(&module)?;
        // Types of a package that brings none are a package of their own.
        known.contains(&(Ecosystem::Npm, package.as_str())).then_some(package)
    });
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The package that a specifier names; `None` for a file of the project or a module of the runtime.
fn package_of(specifier: &str) -> Option<String> {
    if specifier.starts_with(['.', '/', '#']) || specifier.starts_with("node:") {
        return None;
    }
    let mut parts = specifier.split('/');
    let first = parts.next().filter(|part| !part.is_empty())?;
    match first.starts_with('@') {
        true => Some(format!("{first}/{}", parts.next()?)),
        false => Some(first.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_name_packages() {
        let of = |specifier| package_of(specifier);
        assert_eq!(of("@types/react/jsx").as_deref(), Some("@types/react"));
        assert_eq!(of("zod/v4").as_deref(), Some("zod"));
        assert_eq!((of("./a"), of("node:fs"), of("@x")), (None, None, None));
    }
}
