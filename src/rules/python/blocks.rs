//! The blocks of a Python module in the terms common to all languages.

use super::lines::SourceLines;
use super::metrics::complexity::{Complexity, ComplexityNode, NodeKind};
use crate::shape::{BlockKind, BlockMetrics};

/// Every function, method and class in source order, however deeply defined, with qualified names
/// (`outer.inner`, `Class.method`). Classes defined inside functions are listed too, although radon leaves them out.
#[must_use]
pub fn python_blocks(lines: &SourceLines, found: &Complexity) -> Vec<BlockMetrics> {
    let mut out = Vec::new();
    for node in found.functions.iter().chain(&found.classes) {
        list_blocks(&mut out, lines, "", false, node);
    }
    out.sort_by_key(|block| (block.line, block.column));
    out
}

fn list_blocks(out: &mut Vec<BlockMetrics>, lines: &SourceLines, prefix: &str, in_class: bool, node: &ComplexityNode) {
    let name = format!("{prefix}{}", node.name);
    let kind = match node.kind {
        NodeKind::Class => BlockKind::Class,
        NodeKind::Function if in_class => BlockKind::Method,
        NodeKind::Function => BlockKind::Function,
    };
    let inner = format!("{name}.");
    out.push(BlockMetrics {
        name,
        kind,
        line: lines.line(node.start),
        column: lines.column(node.start),
        end_line: lines.last_line(node.range),
        complexity: node.shown_complexity(),
        nesting: node.nesting,
        parameters: node.parameters,
    });
    for child in node.functions.iter().chain(&node.classes) {
        list_blocks(out, lines, &inner, node.kind == NodeKind::Class, child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::metrics::complexity::measure_complexity;

    #[test]
    fn names_places_and_sizes() {
        let text = "\
class A:
    @property
    def é(self, a, /, b, *c, d=1, **e):
        for x in a:
            with b:
                if x:
                    return (
                        1
                    )

    class B:
        def n(self): pass

def outer():
    def inner(): pass
    class C:
        async def m(self): pass
";
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let found = python_blocks(&SourceLines::new(text), &measure_complexity(text, parsed.suite()));
        let shown: Vec<String> = found
            .iter()
            .map(|b| {
                format!(
                    "{} {:?} {}:{}-{} cc{} nest{} par{}",
                    b.name, b.kind, b.line, b.column, b.end_line, b.complexity, b.nesting, b.parameters
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "A Class 1:1-12 cc4 nest0 par0",
                "A.é Method 3:5-9 cc3 nest3 par6",
                "A.B Class 11:5-12 cc2 nest0 par0",
                "A.B.n Method 12:9-12 cc1 nest0 par1",
                "outer Function 14:1-17 cc1 nest0 par0",
                "outer.inner Function 15:5-15 cc1 nest0 par0",
                "outer.C Class 16:5-17 cc2 nest0 par0",
                "outer.C.m Method 17:9-17 cc1 nest0 par1",
            ]
        );
    }
}
