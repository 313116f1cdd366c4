//! Retrieval for language models: texts are found by their embeddings and given to a model with the question.

use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::Ranged as _;

use super::{Design, DesignSource, Signs};
use tapps_syntax::python::flow::{Bindings, carries, every_scope_expr};
use tapps_syntax::python::model_packages::is_vector_store;
use tapps_syntax::python::names::{dotted_name, last_name};
use tapps_syntax::python::retrieval::{
    is_embedding_call, is_search, is_search_call, literal_text, prompt_parts, sentence_models,
};
use tapps_syntax::words::split_identifier_words;

pub(super) const DESIGN: Design = Design {
    name: "retrieval",
    expert_domain: "ai-frameworks",
    words: &[
        &["embed", "Embed", "SentenceTransformer"],
        &[
            "annoy",
            "retrievers",
            "document_stores",
            "chroma",
            "cos_sim",
            "cosine",
            "etriever",
            "faiss",
            "get_relevant_documents",
            "hnswlib",
            "lancedb",
            "max_marginal_relevance",
            "milvus",
            "near_vector",
            "pinecone",
            "qdrant",
            "query_embedding",
            "query_points",
            "query_texts",
            "redisvl",
            "semantic_search",
            "similarity",
            "turbopuffer",
            "usearch",
            "vecs",
            "vector",
            "Vector",
            "weaviate",
        ],
        &["prompt", "Prompt", "content", "context", "Message", "_chain", "QA", "_engine"],
    ],
    look: look_for_retrieval,
};

const EMBEDS: &str = "embeds";
const SEARCHES: &str = "searches";
const PROMPTS: &str = "puts-into-prompt";

/// Names of functions and classes that put what they retrieve into a prompt by themselves.
const WHOLE_CHAINS: [&str; 9] = [
    "as_chat_engine",
    "as_query_engine",
    "create_retrieval_chain",
    "create_stuff_documents_chain",
    "ConversationalRetrievalChain",
    "RetrievalQA",
    "RetrieverQueryEngine",
    "RetrievalQAWithSourcesChain",
    "load_qa_chain",
];

fn look_for_retrieval(source: &DesignSource<'_>) -> Signs {
    let mut signs = Signs::new();
    for (name, place) in source.imports.all() {
        if is_vector_store(name) {
            signs.push((SEARCHES, *place));
        }
    }
    let models = sentence_models(&source.scopes);
    let has_index = source.imports.has_package("faiss") || source.imports.has_package("annoy");
    // How near two vectors are is a search only where the nearest is picked.
    let mut orders = false;
    for scope in source.scopes.iter().copied() {
        every_scope_expr(scope, &mut |expr| orders |= expr.as_call_expr().is_some_and(picks_nearest));
    }
    for scope in source.scopes.iter().copied() {
        every_scope_expr(scope, &mut |expr| {
            let Expr::Call(call) = expr else { return };
            let makes = || source.imports.resolve(&call.func).is_some_and(|name| is_embedding_class(&name));
            if is_embedding_call(call) || is_encoded_by(call, &models) || makes() {
                signs.push((EMBEDS, call.range()));
            } else if is_search_call(call)
                || orders && is_ranking(call)
                || matches!(last_name(&call.func), Some("as_retriever" | "VectorStoreQuery"))
                || has_index && is_asked_by_position(call)
            {
                signs.push((SEARCHES, call.range()));
            }
        });
        prompts_of_scope(scope, &mut signs);
    }
    signs
}

/// True for an imported class that makes embeddings, such as `OpenAIEmbeddings`. What a project calls its own by a relative
/// import may be anything.
fn is_embedding_class(imported: &str) -> bool {
    let name = imported.rsplit('.').next().unwrap_or(imported);
    let of_libraries = ["agno.", "chromadb", "fastembed", "haystack", "langchain", "llama_index", "phi."];
    let known = of_libraries.iter().any(|library| imported.starts_with(library));
    let named = ["Embeddings", "Embedding", "EmbeddingFunction", "Embedder"].iter().any(|end| name.ends_with(end));
    imported.starts_with("sentence_transformers.SentenceTransformer") || known && named
}

/// True for a call that orders things, or picks the first of an order.
fn picks_nearest(call: &ExprCall) -> bool {
    const ORDERS: [&str; 11] = [
        "argmax",
        "argpartition",
        "argsort",
        "heappush",
        "max",
        "nlargest",
        "nsmallest",
        "semantic_search",
        "sort",
        "sorted",
        "topk",
    ];
    last_name(&call.func).is_some_and(|name| ORDERS.contains(&name))
}

fn is_encoded_by(call: &ExprCall, models: &std::collections::HashSet<String>) -> bool {
    let Expr::Attribute(method) = call.func.as_ref() else { return false };
    method.attr.as_str() == "encode" && dotted_name(&method.value).is_some_and(|name| models.contains(&name))
}

/// True for a call that tells how near vectors are to each other.
fn is_ranking(call: &ExprCall) -> bool {
    const RANKINGS: [&str; 6] = [
        "cos_sim",
        "cosine_distance",
        "cosine_similarities",
        "cosine_similarity",
        "semantic_search",
        "similarity_top_k",
    ];
    last_name(&call.func).is_some_and(|name| RANKINGS.contains(&name))
}

/// `index.search(vectors, k)`, in a file that imports a library of such indexes.
fn is_asked_by_position(call: &ExprCall) -> bool {
    matches!(last_name(&call.func), Some("search" | "get_nns_by_vector")) && call.arguments.args.len() == 2
}

/// Adds the places of a scope where what was retrieved becomes part of a prompt.
fn prompts_of_scope(scope: &[Stmt], signs: &mut Signs) {
    let bindings = Bindings::of_scope(scope);
    // A parameter says by its name that it holds what was retrieved.
    let is_retrieved = |expr: &Expr| match expr {
        Expr::Name(name) => is_retrieved_name(&name.id),
        _ => is_search(expr),
    };
    let retrieved = bindings.derived_from(&is_retrieved);
    let holds = |expr: &Expr| carries(expr, &retrieved, &is_retrieved);
    for part in prompt_parts(scope) {
        // A variable that is only handed on is no text that something was put into.
        if !part.value.is_literal_expr() && holds(part.value) {
            signs.push((PROMPTS, part.place));
        }
    }
    for (names, value) in bindings.all() {
        if names.iter().any(|name| is_prompt_name(name)) && is_text(value) && holds(value) {
            signs.push((PROMPTS, value.range()));
        }
    }
    every_scope_expr(scope, &mut |expr| {
        let Expr::Call(call) = expr else { return };
        let whole = last_name(&call.func).filter(|_| !call.func.is_call_expr());
        let by_class = dotted_name(&call.func).and_then(|name| name.split('.').next().map(str::to_owned));
        let whole = whole.into_iter().chain(by_class.as_deref());
        if whole.into_iter().any(|name| WHOLE_CHAINS.contains(&name)) || fills_prompt(call, &holds) {
            signs.push((PROMPTS, call.range()));
        }
    });
}

/// `PROMPT.format(context=found)`, `chain.invoke({"context": found})`.
fn fills_prompt(call: &ExprCall, holds: &impl Fn(&Expr) -> bool) -> bool {
    let Expr::Attribute(method) = call.func.as_ref() else { return false };
    match method.attr.as_str() {
        "format" | "format_messages" | "format_prompt" | "substitute" | "render" | "invoke" | "ainvoke" => {
            let of_prompt =
                last_name(&method.value).is_some_and(|name| is_prompt_name(name) || name.ends_with("chain"));
            let entries = call.arguments.args.iter().filter_map(Expr::as_dict_expr).flat_map(|dict| &dict.items);
            let by_key = entries
                .filter(|item| item.key.as_ref().and_then(literal_text).is_some_and(is_retrieved_name))
                .any(|item| holds(&item.value));
            let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
            of_prompt && (by_key || call.arguments.args.iter().chain(keywords).any(holds))
        }
        _ => false,
    }
}

/// True for text that is put together.
fn is_text(value: &Expr) -> bool {
    match value {
        Expr::FString(_) => true,
        Expr::BinOp(node) => is_text(&node.left) || is_text(&node.right) || node.left.is_string_literal_expr(),
        Expr::Call(call) => matches!(last_name(&call.func), Some("format" | "join" | "dedent")),
        _ => false,
    }
}

/// True for a name that only what was retrieved has.
fn is_retrieved_name(name: &str) -> bool {
    const WORDS: [&str; 6] = ["retrieved", "contexts", "context", "passages", "snippets", "chunks"];
    const WHOLE: [&str; 6] =
        ["docs", "documents", "relevant_docs", "source_documents", "search_results", "context_str"];
    // Asked of every name of a file, few of which hold one of these.
    const PARTS: [&str; 8] =
        ["etrieved", "ontext", "assages", "nippets", "hunks", "docs", "ocuments", "search_results"];
    if !PARTS.iter().any(|part| name.contains(part)) {
        return false;
    }
    let words = split_identifier_words(name);
    // `ctx`, `run_context` and their like hold settings.
    let last = words.last().is_some_and(|word| WORDS.contains(&word.as_str()));
    WHOLE.contains(&name) || last && words.len() == 1 || words.iter().any(|word| word == "retrieved")
}

fn is_prompt_name(name: &str) -> bool {
    split_identifier_words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "prompt" | "prompts" | "messages" | "message"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::kinds;

    #[rstest::rstest]
    #[case(
        "from langchain_openai import OpenAIEmbeddings\nfrom langchain_chroma import Chroma\nstore = Chroma(embedding_function=OpenAIEmbeddings())\n",
        &["searches:2", "embeds:3"]
    )]
    #[case(
        "v = client.embeddings.create(input=[q]).data[0].embedding\nfound = index.query(vector=v, top_k=3)\nprompt = f'{found} {q}'\n",
        &["embeds:1", "searches:2", "puts-into-prompt:3"]
    )]
    #[case(
        "import faiss\nm = SentenceTransformer('x')\nv = m.encode([q])\nd, i = index.search(v, 3)\n",
        &["searches:1", "embeds:3"]
    )]
    #[case(
        "def ask(store, llm, q):\n    docs = store.similarity_search(q)\n    text = '\\n'.join(d.page_content for d in docs)\n    return llm.invoke(f'Use {text}: {q}')\n",
        &["searches:2", "puts-into-prompt:4"]
    )]
    #[case(
        "def rank(q, xs):\n    v = get_embedding(q)\n    return sorted(xs, key=lambda x: cosine_similarity(v, x.vector))\n",
        &["embeds:2", "searches:3"]
    )]
    fn retrieval_is_seen(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(kinds("retrieval", text), expected);
    }

    #[rstest::rstest]
    // One kind, however often.
    #[case("import faiss\nimport chromadb\nfound = store.similarity_search(query)\nprompt = 'x'\n")]
    #[case("a = client.embeddings.create(input=a)\nb = client.embeddings.create(input=b)\n# query content\n")]
    // Types that are only named, and how near two texts are.
    #[case("from chromadb import EmbeddingFunction, Embeddings\n# content\n")]
    #[case("m = SentenceTransformer('x')\nscore = cos_sim(m.encode(a), m.encode(b))\n")]
    // Words of other trades.
    #[case("layer = nn.Embedding(10, 4)\nprompt = input('search query: ')\n")]
    #[case("html = f'<embed src={url}>'\nrows = session.query(User)\ncontent = re.search(p, html)\n")]
    #[case("context = get_context()\nmessage = f'{context}'\nresult = index.search(vector)\n# embed\n")]
    fn other_code_is_not(#[case] text: &str) {
        assert_eq!(kinds("retrieval", text), [""; 0]);
    }
}
