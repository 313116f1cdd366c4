//! Packages about language models, by the name under which they are imported.

/// Frameworks in which programs are made of agents.
///
/// `agents`, of OpenAI, is a name that projects give their own packages too: see [`is_agent_framework`].
pub const AGENT_FRAMEWORKS: [&str; 28] = [
    "ag2",
    "agent_framework",
    "agno",
    "autogen",
    "autogen_agentchat",
    "autogen_core",
    "autogen_ext",
    "beeai_framework",
    "camel.agents",
    "crewai",
    "deepagents",
    "google.adk",
    "haystack.components.agents",
    "langchain.agents",
    "langgraph",
    "langgraph_supervisor",
    "langgraph_swarm",
    "llama_index.core.agent",
    "llama_index.core.workflow",
    "metagpt",
    "phi.agent",
    "praisonaiagents",
    "pydantic_ai",
    "semantic_kernel.agents",
    "smolagents",
    "strands",
    "swarm",
    "swarms",
];

/// Clients of language models that are no frameworks for agents.
pub const MODEL_CLIENTS: [&str; 20] = [
    "anthropic",
    "cohere",
    "dspy",
    "google.genai",
    "google.generativeai",
    "groq",
    "guidance",
    "haystack",
    "instructor",
    "langchain",
    "langchain_anthropic",
    "langchain_community",
    "langchain_core",
    "langchain_openai",
    "litellm",
    "llama_cpp",
    "llama_index",
    "mistralai",
    "ollama",
    "openai",
];

/// Stores of vectors, and the parts of libraries that are about such stores.
const VECTOR_STORES: [&str; 35] = [
    "agno.vectordb",
    "annoy",
    "chromadb",
    "faiss",
    "haystack.components.retrievers",
    "haystack_integrations.document_stores",
    "hnswlib",
    "lancedb",
    "langchain.vectorstores",
    "langchain_astradb",
    "langchain_chroma",
    "langchain_community.vectorstores",
    "langchain_core.vectorstores",
    "langchain_elasticsearch",
    "langchain_milvus",
    "langchain_mongodb",
    "langchain_pinecone",
    "langchain_postgres",
    "langchain_qdrant",
    "langchain_redis",
    "langchain_weaviate",
    "llama_index.core.VectorStoreIndex",
    "llama_index.core.indices.vector_store",
    "llama_index.core.vector_stores",
    "llama_index.vector_stores",
    "pgvector",
    "phi.vectordb",
    "pinecone",
    "pymilvus",
    "qdrant_client",
    "redisvl",
    "turbopuffer",
    "usearch",
    "vecs",
    "weaviate",
];

/// True for what is imported from a store of vectors, to ask it; types, settings and makers of embeddings are none.
#[must_use]
pub fn is_vector_store(imported: &str) -> bool {
    const ASIDE: [&str; 9] =
        ["api", "config", "constants", "embedding_functions", "errors", "exceptions", "models", "types", "utils"];
    is_of_one(imported, &VECTOR_STORES)
        && !imported.split('.').any(|part| ASIDE.contains(&part) || part.contains("mbedding"))
}

/// True for what is imported from a framework for agents.
#[must_use]
pub fn is_agent_framework(imported: &str) -> bool {
    const OF_OPENAI: [&str; 6] = ["Agent", "Runner", "Swarm", "handoff", "function_tool", "SQLiteSession"];
    let own_name = imported.strip_prefix("agents.").is_some_and(|name| OF_OPENAI.contains(&name));
    own_name || is_of_one(imported, &AGENT_FRAMEWORKS)
}

/// True for one of these packages, and for what stands in one.
#[must_use]
pub fn is_of_one(imported: &str, packages: &[&str]) -> bool {
    packages.iter().any(|package| super::imported::is_of_package(imported, package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("chromadb", true)]
    #[case("qdrant_client.QdrantClient", true)]
    #[case("chromadb.Embeddings", false)]
    #[case("chromadb.config.Settings", false)]
    #[case("chromadbx", false)]
    fn stores(#[case] imported: &str, #[case] expected: bool) {
        assert_eq!(is_vector_store(imported), expected);
    }

    #[rstest::rstest]
    #[case("crewai.Agent", true)]
    #[case("google.adk.agents.LlmAgent", true)]
    #[case("agents.Runner", true)]
    #[case("agents.billing.Billing", false)]
    #[case("autogenerate", false)]
    #[case(".crewai", false)]
    fn frameworks(#[case] imported: &str, #[case] expected: bool) {
        assert_eq!(is_agent_framework(imported), expected);
    }
}
