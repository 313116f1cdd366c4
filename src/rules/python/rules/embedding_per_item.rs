//! One request for an embedding each, where one request takes them all.

use std::collections::HashSet;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Comprehension, Expr, ExprCall, Stmt};
use ruff_text_size::Ranged as _;

use super::dependence::derived_in;
use super::loops::is_bounded;
use super::suites::{inner_suites, is_definition, names_bound, names_read};
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};
use tapps_syntax::python::flow::python_scopes;
use tapps_syntax::python::names::{dotted_name, last_name};
use tapps_syntax::python::retrieval::{keyword, literal_text, sentence_models};
use tapps_syntax::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "embedding-per-item",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 600,
    blocking: false,
    summary: "A loop asks for the embedding of one text at a time from an interface that takes many at once.",
    help: "Collect the texts, and ask for their embeddings in batches.",
    explanation: "Each request costs a round trip, or a run of the model that is nearly idle: a thousand texts one by one take \
        many times as long as ten requests of a hundred. `embed_documents`, `embeddings.create`, `get_text_embedding_batch` \
        and the `encode` of sentence-transformers take a list and answer in its order. Said is it only where the text shows \
        that one item is asked for: a list of one, a part of the item, or a variable that is called after one text.",
    examples: &[Example {
        path: "example.py",
        bad: "def embed_all(client, texts):
    vectors = []
    for text in texts:
        answer = client.embeddings.create(model=\"small\", input=text)
        vectors.append(answer.data[0].embedding)
    return vectors
",
        good: "def embed_all(client, texts, size=100):
    vectors = []
    for start in range(0, len(texts), size):
        answer = client.embeddings.create(model=\"small\", input=texts[start : start + size])
        vectors.extend(one.embedding for one in answer.data)
    return vectors
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_embedding_per_item;

/// Names of variables that hold one text.
const ONE_TEXT: [&str; 20] = [
    "article",
    "content",
    "doc",
    "document",
    "item",
    "line",
    "paragraph",
    "passage",
    "phrase",
    "query",
    "question",
    "s",
    "sent",
    "sentence",
    "t",
    "text",
    "title",
    "txt",
    "word",
    "summary",
];

/// Reports each request once.
fn check_embedding_per_item(view: &View, found: &mut Vec<Finding>) {
    let text = view.lines.text();
    if !text.contains("embed") && !text.contains("SentenceTransformer") {
        return;
    }
    let models = sentence_models(&python_scopes(view.body));
    EmbeddingVisitor { view, found, models, items: Vec::new() }.visit_body(view.body);
}

struct EmbeddingVisitor<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
    models: HashSet<String>,
    /// For each loop around the current place the names that hold its item, or something made from it.
    items: Vec<HashSet<&'a str>>,
}

impl<'a> EmbeddingVisitor<'a, '_> {
    fn is_of_item(&self, expr: &Expr) -> bool {
        names_read(expr).iter().any(|name| self.items.iter().any(|items| items.contains(name)))
    }

    /// True when the text shows that a value is one item of a loop, and no batch of them.
    fn is_one_item(&self, value: &Expr) -> bool {
        match value {
            Expr::List(node) => matches!(node.elts.as_slice(), [one] if !one.is_starred_expr() && self.is_of_item(one)),
            Expr::Name(node) => ONE_TEXT.contains(&node.id.as_str()) && self.is_of_item(value),
            Expr::Attribute(node) => {
                matches!(node.attr.as_str(), "text" | "content" | "page_content" | "body" | "title")
                    && node.value.is_name_expr()
                    && self.is_of_item(value)
            }
            Expr::Subscript(node) => {
                literal_text(&node.slice).is_some() && node.value.is_name_expr() && self.is_of_item(value)
            }
            _ => false,
        }
    }

    /// What a call that takes a list is asked about.
    fn asked<'c>(&self, call: &'c ExprCall) -> Option<&'c Expr> {
        let Expr::Attribute(method) = call.func.as_ref() else { return None };
        let first = call.arguments.args.first();
        match method.attr.as_str() {
            "embed_documents" | "aembed_documents" => first.filter(|first| first.is_list_expr()),
            "get_text_embedding" | "aget_text_embedding" => first,
            "create" if last_name(&method.value) == Some("embeddings") => keyword(call, "input"),
            "encode" if dotted_name(&method.value).is_some_and(|name| self.models.contains(&name)) => first,
            _ => None,
        }
    }

    fn visit_in_loop(&mut self, items: HashSet<&'a str>, walk: impl FnOnce(&mut Self)) {
        self.items.push(items);
        walk(self);
        self.items.pop();
    }

    fn visit_comprehended(&mut self, generators: &'a [Comprehension], walk: impl FnOnce(&mut Self)) {
        let counts = |one: &&Comprehension| !one.is_async && is_over_items(&one.iter);
        let items = generators.iter().filter(counts).flat_map(|one| names_bound(&one.target)).collect();
        self.visit_in_loop(items, walk);
    }
}

/// True for an iterable that may be long, and that gives items rather than batches or numbers.
fn is_over_items(iterable: &Expr) -> bool {
    const BATCHES: [&str; 11] = [
        "batch",
        "batched",
        "batches",
        "chunked",
        "grouper",
        "islice",
        "range",
        "sliced",
        "trange",
        "windowed",
        "dataloader",
    ];
    let named = last_name(iterable).map(split_identifier_words).unwrap_or_default();
    !is_bounded(iterable) && !named.iter().any(|word| BATCHES.contains(&word.as_str()))
}

/// True for a loop that may end before its last item: what comes later then need not be asked for.
fn ends_early(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| {
        matches!(stmt, Stmt::Break(_) | Stmt::Return(_))
            || !is_definition(stmt) && inner_suites(stmt).into_iter().any(ends_early)
    })
}

impl<'a> SourceOrderVisitor<'a> for EmbeddingVisitor<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::For(node) if !node.is_async && is_over_items(&node.iter) && !ends_early(&node.body) => {
                self.visit_expr(&node.iter);
                let items = derived_in(&node.body, names_bound(&node.target));
                self.visit_in_loop(items, |walk| walk.visit_body(&node.body));
                self.visit_body(&node.orelse);
            }
            Stmt::FunctionDef(_) => {
                // A function that is defined in a loop runs when it is called.
                let outside = std::mem::take(&mut self.items);
                source_order::walk_stmt(self, stmt);
                self.items = outside;
            }
            _ => source_order::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && !self.items.is_empty()
            && self.asked(call).is_some_and(|value| self.is_one_item(value))
        {
            let message = "each turn of the loop asks for one embedding".to_owned();
            self.found.push(self.view.finding(&RULE, call.range(), message));
        }
        match expr {
            Expr::ListComp(node) => {
                self.visit_comprehended(&node.generators, |walk| source_order::walk_expr(walk, expr))
            }
            Expr::SetComp(node) => {
                self.visit_comprehended(&node.generators, |walk| source_order::walk_expr(walk, expr))
            }
            Expr::DictComp(node) => {
                self.visit_comprehended(&node.generators, |walk| source_order::walk_expr(walk, expr))
            }
            Expr::Generator(node) => {
                self.visit_comprehended(&node.generators, |walk| source_order::walk_expr(walk, expr))
            }
            _ => source_order::walk_expr(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("for text in texts:\n    v = c.embeddings.create(input=text)\n", &[2])]
    #[case("for d in docs:\n    v = e.embed_documents([d.page_content])\n", &[2])]
    #[case("vs = [c.embeddings.create(input=[x]) for x in xs]\n", &[1])]
    #[case("m = SentenceTransformer('a')\nvs = {t: m.encode(t) for t in texts}\n", &[2])]
    #[case("for node in nodes:\n    text = node.get_content()\n    node.embedding = e.get_text_embedding(text)\n", &[3])]
    #[case("for row in rows:\n    v = c.embeddings.create(input=row['text'])\n", &[2])]
    // A batch, a slice, a list of several.
    #[case("for batch in batches:\n    v = c.embeddings.create(input=batch)\n", &[])]
    #[case("for i in range(0, n, 9):\n    v = c.embeddings.create(input=texts[i:i + 9])\n", &[])]
    #[case("for text in batched(texts, 9):\n    v = c.embeddings.create(input=text)\n", &[])]
    #[case("for d in docs:\n    v = e.embed_documents([d.title, d.text])\n", &[])]
    // Not of the loop, or of a loop that is short, ends early, or waits for its items.
    #[case("for n in tries:\n    v = c.embeddings.create(input=text)\n", &[])]
    #[case("for text in ('a', 'b'):\n    v = c.embeddings.create(input=text)\n", &[])]
    #[case("def f():\n    for text in texts:\n        v = c.embeddings.create(input=text)\n        if v: return v\n", &[])]
    #[case("async def f():\n    async for text in texts:\n        v = c.embeddings.create(input=text)\n", &[])]
    #[case("for t in texts:\n    v = t.encode('utf-8')\n    w = m.encode(t)\n# embed\n", &[])]
    #[case("for t in texts:\n    def f(t): return c.embeddings.create(input=[t])\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_embedding_per_item, text), expected);
    }
}
