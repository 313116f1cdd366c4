//! Paths within a project.

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder; the root of the project is the empty one.
pub(crate) fn join(folder: &str, rest: &str) -> String {
    match (folder.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{rest}"),
    }
}

/// A path with `.` and `..` taken out; nothing when it leads out of the project.
pub(crate) fn normalize_project_path(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
