//! Which grammar a script is read with: by its ending first, then by what it turns out to contain.

use oxc_span::SourceType;

/// The grammars to try for a path, likeliest first. The first that reads the file without an error counts.
#[must_use]
pub fn candidate_source_types(path: &str) -> Vec<SourceType> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if name.ends_with(".d.ts") || name.ends_with(".d.mts") || name.ends_with(".d.cts") || is_declaration_of_asset(&name)
    {
        return vec![SourceType::d_ts()];
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "ts" => vec![SourceType::ts().with_unambiguous(true), SourceType::ts().with_commonjs(true)],
        "mts" => vec![SourceType::ts()],
        "cts" => vec![SourceType::ts().with_commonjs(true), SourceType::ts()],
        "tsx" => vec![SourceType::tsx().with_unambiguous(true)],
        "mjs" => vec![SourceType::jsx()],
        "cjs" => vec![SourceType::cjs().with_jsx(true)],
        // A `.js` file may be a module, a script of the web or CommonJS (where `return` may stand outside functions).
        _ => vec![SourceType::unambiguous().with_jsx(true), SourceType::cjs().with_jsx(true), SourceType::jsx()],
    }
}

/// `styles.d.css.ts` declares the types of an asset.
fn is_declaration_of_asset(name: &str) -> bool {
    name.strip_suffix(".ts").and_then(|stem| stem.rsplit_once('.')).is_some_and(|(stem, _)| stem.ends_with(".d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_choose_the_grammar() {
        assert!(candidate_source_types("a/b.d.ts")[0].is_typescript_definition());
        assert!(candidate_source_types("a/b.d.css.ts")[0].is_typescript_definition());
        assert!(!candidate_source_types("d.ts")[0].is_typescript_definition());
        assert!(candidate_source_types("a.tsx")[0].is_jsx() && candidate_source_types("a.tsx")[0].is_typescript());
        assert!(!candidate_source_types("a.ts")[0].is_jsx());
        assert!(candidate_source_types("A.JS")[0].is_jsx() && candidate_source_types("a.js")[0].is_javascript());
        assert!(candidate_source_types("a.cjs")[0].is_commonjs());
        assert!(candidate_source_types("a.mjs")[0].is_module());
    }
}
