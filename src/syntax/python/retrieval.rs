//! Calls that make embeddings, that search by them, and the places where texts become part of a prompt.

use std::collections::HashSet;

use ruff_python_ast::{Expr, ExprCall, ExprDict, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

use super::flow::every_scope_expr;
use super::names::{dotted_name, last_name};
use crate::words::split_identifier_words;

/// The value of a keyword argument.
#[must_use]
pub fn keyword<'a>(call: &'a ExprCall, name: &str) -> Option<&'a Expr> {
    call.arguments.find_keyword(name).map(|keyword| &keyword.value)
}

/// The text of a string literal.
#[must_use]
pub fn literal_text(expr: &Expr) -> Option<&str> {
    expr.as_string_literal_expr().map(|text| text.value.to_str())
}

/// True when the last word of a name, or of what is called or subscripted, is one of these.
#[must_use]
pub fn is_named_by(expr: &Expr, words: &[&str]) -> bool {
    let last = last_name(expr).map(split_identifier_words).and_then(|mut words| words.pop());
    last.is_some_and(|last| words.contains(&last.as_str()))
}

/// True for a call that asks a store of vectors, or a retriever, for what is near to a question.
#[must_use]
pub fn is_search_call(call: &ExprCall) -> bool {
    const SEARCHES: [&str; 12] = [
        "similarity_search",
        "similarity_search_by_vector",
        "similarity_search_with_relevance_scores",
        "similarity_search_with_score",
        "asimilarity_search",
        "asimilarity_search_with_score",
        "max_marginal_relevance_search",
        "amax_marginal_relevance_search",
        "get_relevant_documents",
        "aget_relevant_documents",
        "query_points",
        "near_vector",
    ];
    const VECTORS: [&str; 6] =
        ["query_embeddings", "query_embedding", "query_texts", "query_vector", "vector", "near_vector"];
    let Expr::Attribute(method) = call.func.as_ref() else { return false };
    let name = method.attr.as_str();
    if SEARCHES.contains(&name) {
        return true;
    }
    let asks = matches!(name, "query" | "search" | "vector_search" | "hybrid_search");
    if asks && VECTORS.iter().any(|word| keyword(call, word).is_some()) {
        return true;
    }
    matches!(name, "invoke" | "ainvoke" | "retrieve" | "aretrieve") && is_named_by(&method.value, &["retriever"])
}

/// True for an expression that is such a call.
#[must_use]
pub fn is_search(expr: &Expr) -> bool {
    expr.as_call_expr().is_some_and(is_search_call)
}

/// True for a call that asks for embeddings by a name that only such calls have.
#[must_use]
pub fn is_embedding_call(call: &ExprCall) -> bool {
    const NAMES: [&str; 14] = [
        "embed_documents",
        "aembed_documents",
        "embed_query",
        "aembed_query",
        "embed_content",
        "get_text_embedding",
        "aget_text_embedding",
        "get_text_embedding_batch",
        "aget_text_embedding_batch",
        "get_query_embedding",
        "aget_query_embedding",
        "get_embedding",
        "get_embeddings",
        "create_embeddings",
    ];
    match call.func.as_ref() {
        Expr::Attribute(method) => {
            // Without an argument it only hands out what was made before.
            NAMES.contains(&method.attr.as_str()) && !call.arguments.is_empty()
                || method.attr.as_str() == "create" && last_name(&method.value) == Some("embeddings")
        }
        Expr::Name(name) => {
            matches!(name.id.as_str(), "get_embedding" | "get_embeddings" | "create_embeddings")
                && !call.arguments.is_empty()
        }
        _ => false,
    }
}

/// The names, dotted, that hold a model of sentence-transformers in some scope of a module.
#[must_use]
pub fn sentence_models(scopes: &[&[Stmt]]) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut note = |target: &Expr, value: &Expr| {
        if let Expr::Call(call) = value
            && last_name(&call.func) == Some("SentenceTransformer")
        {
            found.extend(dotted_name(target));
        }
    };
    for stmt in scopes.iter().copied().flatten() {
        match stmt {
            Stmt::Assign(node) => node.targets.iter().for_each(|target| note(target, &node.value)),
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    note(&node.target, value);
                }
            }
            _ => {}
        }
    }
    found
}

/// A value that becomes part of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptPart<'a> {
    pub value: &'a Expr,
    /// It stands in the message that gives a model its orders.
    pub system: bool,
    /// The message, or the argument.
    pub place: TextRange,
}

/// The values that a scope puts into messages and prompts of models.
#[must_use]
pub fn prompt_parts(scope: &[Stmt]) -> Vec<PromptPart<'_>> {
    let mut parts = Vec::new();
    every_scope_expr(scope, &mut |expr| match expr {
        Expr::Dict(node) => parts.extend(part_of_message(node)),
        Expr::Tuple(node) => {
            if let [role, value] = node.elts.as_slice()
                && let Some(system) = literal_text(role).and_then(is_system_role)
            {
                parts.push(PromptPart { value, system, place: node.range });
            }
        }
        Expr::Call(call) => parts_of_call(call, &mut parts),
        _ => {}
    });
    parts
}

/// Whether a role is the one that gives orders; none for what is no role.
fn is_system_role(role: &str) -> Option<bool> {
    match role {
        "system" | "developer" => Some(true),
        "user" | "human" => Some(false),
        _ => None,
    }
}

/// `{"role": …, "content": …}`.
fn part_of_message(node: &ExprDict) -> Option<PromptPart<'_>> {
    let value_of = |name: &str| {
        let mut items = node.items.iter();
        items.find(|item| item.key.as_ref().and_then(literal_text) == Some(name)).map(|item| &item.value)
    };
    let system = is_system_role(literal_text(value_of("role")?)?)?;
    Some(PromptPart { value: value_of("content")?, system, place: node.range })
}

fn parts_of_call<'a>(call: &'a ExprCall, parts: &mut Vec<PromptPart<'a>>) {
    let Some(function) = last_name(&call.func) else { return };
    let message = match function {
        "SystemMessage" | "SystemPromptPart" => Some(true),
        "HumanMessage" | "UserMessage" | "UserPromptPart" => Some(false),
        _ => None,
    };
    if let Some(system) = message {
        let value = keyword(call, "content").or_else(|| call.arguments.args.first());
        parts.extend(value.map(|value| PromptPart { value, system, place: call.range() }));
        return;
    }
    if !is_model_request(call) {
        return;
    }
    let orders = ["system", "instructions", "system_prompt", "system_instruction"];
    let questions = ["prompt", "contents", "input", "query", "user_prompt"];
    for argument in &call.arguments.keywords {
        let Some(name) = argument.arg.as_ref().map(|name| name.as_str()) else { continue };
        let system = orders.contains(&name);
        if system || questions.contains(&name) {
            parts.push(PromptPart { value: &argument.value, system, place: argument.range });
        }
    }
    parts.extend(call.arguments.args.first().map(|value| PromptPart { value, system: false, place: value.range() }));
}

/// True for a call that has a language model answer.
#[must_use]
pub fn is_model_request(call: &ExprCall) -> bool {
    const MODELS: [&str; 6] = ["llm", "chain", "model", "lm", "gpt", "claude"];
    const ASKING: [&str; 14] = [
        "invoke",
        "ainvoke",
        "predict",
        "apredict",
        "complete",
        "acomplete",
        "generate",
        "agenerate",
        "chat",
        "achat",
        "generate_content",
        "generate_content_async",
        "stream",
        "astream",
    ];
    match call.func.as_ref() {
        Expr::Name(name) => matches!(name.id.as_str(), "llm" | "call_llm" | "ask_llm" | "completion" | "acompletion"),
        Expr::Attribute(method) => {
            let name = method.attr.as_str();
            let of = last_name(&method.value);
            match name {
                "create" | "parse" | "stream" if matches!(of, Some("completions" | "messages" | "responses")) => true,
                "generate_content" | "generate_content_async" | "generate_reply" | "a_generate_reply" => true,
                _ => ASKING.contains(&name) && is_named_by(&method.value, &MODELS),
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::{parse_python, parse_shallow_expression};

    fn call_is(text: &str, is: fn(&ExprCall) -> bool) -> bool {
        is(parse_shallow_expression(text).unwrap().expr().as_call_expr().unwrap())
    }

    #[rstest::rstest]
    #[case("store.similarity_search(q, k=4)", true)]
    #[case("self.collection.query(query_embeddings=[v], n_results=3)", true)]
    #[case("index.query(vector=v, top_k=3)", true)]
    #[case("self.retriever.invoke(q)", true)]
    #[case("session.query(User)", false)]
    #[case("re.search(pattern, text)", false)]
    #[case("chain.invoke(q)", false)]
    fn searches(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(call_is(text, is_search_call), expected);
    }

    #[rstest::rstest]
    #[case("client.embeddings.create(input=texts)", true)]
    #[case("embedder.embed_documents(texts)", true)]
    #[case("node.get_embedding()", false)]
    #[case("nn.Embedding(3, 4)", false)]
    #[case("text.encode('utf-8')", false)]
    #[case("html.embed(url)", false)]
    fn embeddings(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(call_is(text, is_embedding_call), expected);
    }

    #[rstest::rstest]
    #[case("client.chat.completions.create(messages=m)", true)]
    #[case("self.llm.invoke(m)", true)]
    #[case("model.generate_content(p)", true)]
    #[case("keys.generate(p)", false)]
    #[case("User.objects.create(name=n)", false)]
    #[case("retriever.invoke(q)", false)]
    fn requests(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(call_is(text, is_model_request), expected);
    }

    #[test]
    fn parts_of_prompts_know_the_message_that_they_stand_in() {
        let text = "\
a = {'role': 'system', 'content': one}
b = [('human', two), ('x', three), HumanMessage(content=four), SystemMessage(five)]
c = client.messages.create(system=six, max_tokens=7)
d = llm.invoke(eight)
e = {'role': 'admin', 'content': nine}
";
        let found = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let parts = prompt_parts(parsed.suite());
            let shown = |part: &PromptPart| format!("{} {}", last_name(part.value).unwrap_or("?"), part.system);
            parts.iter().map(shown).collect::<Vec<_>>()
        });
        assert_eq!(found.unwrap(), ["one true", "two false", "four false", "five true", "six true", "eight false"]);
    }

    #[test]
    fn models_of_sentences_are_known_by_their_names() {
        let text = "m = SentenceTransformer('x')\nclass A:\n    def __init__(self):\n        self.m: object = st.SentenceTransformer('y')\n";
        let found = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let mut names: Vec<String> =
                sentence_models(&crate::python::flow::python_scopes(parsed.suite())).into_iter().collect();
            names.sort_unstable();
            names
        });
        assert_eq!(found.unwrap(), ["m", "self.m"]);
    }
}
