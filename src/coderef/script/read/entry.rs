//! Choosing a grammar, parsing on a stack that fits, and what is said of a text that cannot be parsed.

use oxc_diagnostics::Severity;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use super::doc::JsDocComments;
use super::reader::ScriptFactsReader;
use crate::family;
use crate::family::{FileRole, ParsedFile};
use crate::model::{Language, Parse};
use crate::script::markup;
use tapps_syntax::script::dialect;
use tapps_syntax::script::parse::{Brackets, ScriptTree, Unparsed, parse_script};
use tapps_syntax::script::positions::Positions;

/// Reads one file.
#[must_use]
pub fn parse_script_file(path: &str, language: Language, text: &str) -> ParsedFile {
    match language {
        Language::Vue | Language::Svelte => {
            let (scripts, typed) = markup::blank_outside_scripts(text);
            let grammar = if typed { SourceType::tsx() } else { SourceType::jsx() };
            let plain = if typed { SourceType::ts() } else { SourceType::mjs() };
            read_with(&scripts, &[grammar, plain])
        }
        _ => read_with(text, &dialect::candidate_source_types(path)),
    }
}

fn lines_of(text: &str) -> u32 {
    u32::try_from(text.lines().count()).unwrap_or(u32::MAX)
}

fn empty(text: &str, parse: Parse) -> ParsedFile {
    let (lines, role) = (lines_of(text), FileRole::default());
    ParsedFile { parse, lines, role, elements: Vec::new(), facts: family::LanguageFacts::None }
}

/// Reads with the first grammar that fits; when none does, with the first that yields a tree with elements.
fn read_with(text: &str, grammars: &[SourceType]) -> ParsedFile {
    let read = parse_script(text, grammars, Brackets::LeftOut, |tree| {
        let reading = reading_of_tree(text, tree);
        if reading.parse == Parse::Whole { Ok(reading) } else { Err(reading) }
    });
    read.unwrap_or_else(|why| match why {
        Unparsed::TooDeep(offset) => {
            let (line, _) = Positions::new(text).line_and_column(u32::try_from(offset).unwrap_or(u32::MAX));
            empty(text, Parse::Broken { line, message: "nested too deeply".to_owned() })
        }
        Unparsed::NoStack => empty(text, Parse::Skipped { reason: "no stack large enough to read it".to_owned() }),
        Unparsed::Rejected(mut broken) => {
            if broken.is_empty() {
                return empty(text, Parse::Skipped { reason: "no grammar for it".to_owned() });
            }
            let at = broken.iter().position(|reading| !reading.elements.is_empty()).unwrap_or(0);
            broken.swap_remove(at)
        }
    })
}

fn reading_of_tree(text: &str, tree: ScriptTree<'_>) -> ParsedFile {
    let ScriptTree { allocator, grammar, parsed } = tree;
    let positions = Positions::new(text);
    let error = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    let outcome = error.map(|error| {
        let offset = error.labels.first().map_or(0, |label| label.offset());
        Parse::Broken { line: positions.line_and_column(offset).0, message: error.message.to_string() }
    });
    if parsed.panicked {
        let message = "it cannot be parsed".to_owned();
        return empty(text, outcome.unwrap_or(Parse::Broken { line: 1, message }));
    }
    let program = &*allocator.alloc(parsed.program);
    let docs = if grammar.is_javascript() {
        JsDocComments::from_program_comments(allocator, program)
    } else {
        JsDocComments::default()
    };
    let semantic = SemanticBuilder::new().build(program).semantic;
    let (elements, facts, test) = ScriptFactsReader::new(program, semantic.scoping(), &positions, docs).read_program();
    ParsedFile {
        parse: outcome.unwrap_or(Parse::Whole),
        lines: lines_of(text),
        role: FileRole { test, cases: test, runs: text.starts_with("#!") },
        elements,
        facts: family::LanguageFacts::Script(Box::new(facts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "import a, { b as c } from './d'; export * from \"e\"; /** é */ @f() export default abstract class G<T> extends h(i) {\n\
        static #j = <T,>(k = 1) => this?.l; constructor(private m: N.O<P>) { super(...q); } get r() { return s } }\n\
        const { t, u: [v], ...w } = x as Y, z = { aa() {}, get bb() { return 1 }, [cc]: function* dd() {} };\n\
        namespace Ee.Ff { export enum Gg { Hh } } interface Ii extends Jj { (kk: Ll): Mm; new (): Nn; oo?(): void }\n\
        module.exports = exports.pp = async () => { for (const qq of await rr()) new ss.tt(`${uu}`)?.[vv]!(); };\n\
        type Ww = { [K in keyof Xx]: Yy[K] } | typeof zz; const Aaa = () => <Bbb.Ccc {...ddd}><Eee/></Bbb.Ccc>;\n";

    #[test]
    fn a_cut_or_mangled_file_is_read_as_far_as_it_goes() {
        for (offset, _) in SAMPLE.char_indices() {
            for (path, language) in [("a.tsx", Language::Tsx), ("a.js", Language::JavaScript), ("a.vue", Language::Vue)]
            {
                for text in [&SAMPLE[..offset], &SAMPLE[offset..]] {
                    let vue = format!("<script lang=ts>{text}");
                    let text = if language == Language::Vue { &vue } else { text };
                    let reading = parse_script_file(path, language, text);
                    let sorted = reading.elements.is_sorted_by_key(|element| element.span.bytes.start);
                    assert!(sorted, "{path}: {text}");
                    let inside = |element: &crate::model::Element| {
                        let bytes = element.span.bytes.start as usize..element.span.bytes.end as usize;
                        text.get(bytes).is_some() && element.span.line <= element.span.end_line
                    };
                    assert!(reading.elements.iter().all(inside), "{path}: {text}");
                }
            }
        }
    }
}
