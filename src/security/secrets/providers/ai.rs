//! Model providers.

use super::common::{check_random_token, random_with_digit};
use crate::secrets::secret::{TokenFormat, secrets};

secrets! {
    OPENAI: "openai-api-key", High, "An OpenAI API key", "Delete the key in the OpenAI dashboard and create another";
    ANTHROPIC: "anthropic-api-key", High, "An Anthropic API key", "Disable the key in the Anthropic console and create another";
    HUGGING_FACE: "huggingface-token", High, "A Hugging Face token", "Revoke the token in the Hugging Face settings and create another";
    REPLICATE: "replicate-token", High, "A Replicate token", "Revoke the token in the Replicate settings and create another";
    GROQ: "groq-api-key", High, "A Groq API key", "Delete the key in the Groq console and create another";
    XAI: "xai-api-key", High, "An xAI API key", "Delete the key in the xAI console and create another";
    PERPLEXITY: "perplexity-api-key", High, "A Perplexity API key", "Delete the key in the Perplexity settings and create another";
    LANGSMITH: "langsmith-api-key", High, "A LangSmith API key", "Delete the key in the LangSmith settings and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: OPENAI,
        starts: &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        pattern: r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat {
        secret: OPENAI,
        starts: &["T3BlbkFJ"],
        pattern: r"sk-(?:[a-z]{1,12}-)?[A-Za-z0-9_-]{16,80}T3BlbkFJ[A-Za-z0-9_-]{16,80}",
        back: 100,
        check: check_random_token,
    },
    TokenFormat {
        secret: ANTHROPIC,
        starts: &["sk-ant-"],
        pattern: r"sk-ant-(?:[a-z]{2,8}[0-9]{2}-)?[A-Za-z0-9_-]{32,120}",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat { secret: HUGGING_FACE, starts: &["hf_"], pattern: "hf_[A-Za-z]{34}", back: 0, check: check_random_token },
    TokenFormat { secret: REPLICATE, starts: &["r8_"], pattern: "r8_[A-Za-z0-9]{37}", back: 0, check: check_random_token },
    TokenFormat { secret: GROQ, starts: &["gsk_"], pattern: "gsk_[A-Za-z0-9]{52}", back: 0, check: check_random_token },
    TokenFormat { secret: XAI, starts: &["xai-"], pattern: "xai-[A-Za-z0-9]{70,90}", back: 0, check: check_random_token },
    TokenFormat { secret: PERPLEXITY, starts: &["pplx-"], pattern: "pplx-[A-Za-z0-9]{48,56}", back: 0, check: check_random_token },
    TokenFormat {
        secret: LANGSMITH,
        starts: &["lsv2_"],
        pattern: "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
        back: 0,
        check: check_random_token,
    },
];
