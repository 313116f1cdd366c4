//! A model of static embeddings in two files: `tokenizer.json` cuts a text into tokens, `model.safetensors` has a vector for
//! each, and the text's vector is their sum.

use std::fs::File;
use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use tokenizers::Tokenizer;

use super::embedder::{Embedder, Fallback, Model};
use super::files::{LockedModel, LockedModelFile, ModelFiles, TABLE};
use super::table::EmbeddingTable;
use tapps_base::digest;

/// Largest files that are read, in bytes.
const MOST_TABLE: u64 = 1 << 30;
const MOST_TOKENIZER: u64 = 64 << 20;
/// What to do about a folder that holds no model.
const HINT: &str =
    "experts.model must be a folder with the `model.safetensors` and `tokenizer.json` of one static embedding model";

/// A model that is held in memory.
struct StaticModel {
    model: Model,
    tokenizer: Tokenizer,
    table: EmbeddingTable,
    /// The token that stands for what the tokenizer does not know; it means nothing.
    unknown: Option<u32>,
}

/// What of a tokenizer's file is looked at here.
#[derive(Debug, Deserialize)]
struct Described {
    model: TokenizerModel,
}

#[derive(Debug, Deserialize)]
struct TokenizerModel {
    /// The share of merges that are left out at random.
    dropout: Option<f64>,
    unk_token: Option<String>,
    unk_id: Option<u32>,
}

/// Reads the model in two files.
pub(super) fn open_model(files: &ModelFiles) -> Result<Arc<dyn Embedder>, Fallback> {
    let ModelFiles { table: path, tokenizer: tokenizer_path, locked } = files;
    let bytes = read_model_file(path, MOST_TABLE)?;
    let sha256 = digest::sha256(&bytes);
    if let Some(locked) = locked {
        require_locked(path, &sha256, &locked.table, locked)?;
    }
    let table = EmbeddingTable::parse_table(bytes).map_err(|what| Fallback::model_unreadable(path, what, HINT))?;

    let path = tokenizer_path;
    let bytes = read_model_file(path, MOST_TOKENIZER)?;
    let tokenizer_sha256 = digest::sha256(&bytes);
    if let Some(locked) = locked {
        require_locked(path, &tokenizer_sha256, &locked.tokenizer, locked)?;
    }
    let (tokenizer, unknown) = tokenizer(&bytes).map_err(|what| Fallback::model_unreadable(path, what, HINT))?;
    let known = tokenizer.get_vocab_size(true);
    if known > table.tokens() {
        let what = format!("it knows {known} tokens, and {TABLE} has vectors for {}", table.tokens());
        return Err(Fallback::model_unreadable(path, what, "put the two files of one model into the folder"));
    }
    let model = Model { sha256, tokenizer_sha256, dimensions: table.dimensions() };
    Ok(Arc::new(StaticModel { model, tokenizer, table, unknown }))
}

impl Embedder for StaticModel {
    fn model(&self) -> &Model {
        &self.model
    }

    fn sum(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.table.dimensions()];
        // A file that makes the tokenizer give up half-way costs a vector and never the program.
        let tokens = catch_unwind(AssertUnwindSafe(|| self.tokenizer.encode_fast(text, false)));
        if let Ok(Ok(encoded)) = tokens {
            for token in encoded.get_ids().iter().filter(|token| Some(**token) != self.unknown) {
                self.table.add_token_row(*token as usize, &mut sum);
            }
        }
        sum
    }
}

tapps_base::debug_fields!(StaticModel { model });

/// A file that nobody named is used only with the bytes that are locked.
fn require_locked(path: &Path, sha256: &str, file: &LockedModelFile, model: &LockedModel) -> Result<(), Fallback> {
    if file.sha256 == sha256 {
        return Ok(());
    }
    let LockedModel { package, version, .. } = model;
    let what = format!("it has the digest {sha256} instead of the locked {} of {package} {version}", file.sha256);
    Err(Fallback::model_unreadable(
        path,
        what,
        "install it anew with `pip install --force-reinstall 'tapps-mcp[vector]'`",
    ))
}

/// A whole regular file that is not larger than it may be.
fn read_model_file(path: &Path, most: u64) -> Result<Vec<u8>, Fallback> {
    let fault = |what: String| Fallback::model_unreadable(path, what, HINT);
    let meta = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?;
    if !meta.is_file() {
        return Err(fault("it is not a regular file".to_owned()));
    }
    if meta.len() > most {
        return Err(fault(format!("it has {} bytes, more than {most}", meta.len())));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| fault(error.to_string()))?;
    file.take(most).read_to_end(&mut bytes).map_err(|error| fault(error.to_string()))?;
    Ok(bytes)
}

/// The tokenizer that a file describes, and its token for what it does not know.
fn tokenizer(bytes: &[u8]) -> Result<(Tokenizer, Option<u32>), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it describes no tokenizer: {error}"))?;
    let Described { model } =
        serde_json::from_str(text).map_err(|error| format!("it describes no tokenizer: {error}"))?;
    if model.dropout.is_some_and(|share| share > 0.0) {
        return Err(
            "its tokens are drawn by chance (`dropout`), and the same question must get the same answer".to_owned()
        );
    }
    let read = catch_unwind(AssertUnwindSafe(|| {
        // Not `from_bytes`, whose readers of every kind of tokenizer would be compiled with this crate again.
        let mut tokenizer: Tokenizer = text.parse()?;
        tokenizer.with_truncation(None)?;
        tokenizer.with_padding(None);
        // What breaks at the first text is found here.
        tokenizer.encode_fast("What is it?", false)?;
        Ok::<_, tokenizers::Error>(tokenizer)
    }));
    let tokenizer = read
        .map_err(|_| "it describes a tokenizer that contradicts itself".to_owned())?
        .map_err(|error| format!("it describes no tokenizer that can be used: {error}"))?;
    let unknown = model.unk_token.and_then(|token| tokenizer.token_to_id(&token)).or(model.unk_id);
    Ok((tokenizer, unknown))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::embedder::Reason;
    use super::super::files::TOKENIZER;
    use super::*;

    /// Three words in two dimensions; `[?]` stands for all others.
    const WORDS: &str = r#"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[?]": 0, "pool": 1, "size": 2, "bread": 3}, "unk_token": "[?]"}}"#;

    fn write(folder: &Path, words: &str, rows: &[[i8; 2]]) {
        let header = format!(
            r#"{{"embeddings":{{"dtype":"I8","shape":[{},2],"data_offsets":[0,{}]}}}}"#,
            rows.len(),
            rows.len() * 2
        );
        let numbers = rows.as_flattened().iter().flat_map(|number| number.to_le_bytes());
        let bytes: Vec<u8> =
            (header.len() as u64).to_le_bytes().into_iter().chain(header.bytes()).chain(numbers).collect();
        std::fs::write(folder.join(TABLE), bytes).unwrap();
        std::fs::write(folder.join(TOKENIZER), words).unwrap();
    }

    /// A model that knows `pool`, `size` and `bread`.
    pub(in super::super) fn small_test_model() -> Arc<dyn Embedder> {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), WORDS, &[[9, 9], [3, 0], [1, 0], [0, 2]]);
        open_model(&ModelFiles::in_folder(folder.path())).unwrap()
    }

    #[test]
    fn a_text_is_the_sum_of_the_tokens_that_are_known() {
        let model = small_test_model();
        assert_eq!(model.sum("pool size bread pool"), [7.0, 2.0]);
        assert_eq!(model.sum("what about bread"), [0.0, 2.0]);
        assert_eq!(model.sum("nothing known"), [0.0, 0.0]);
        assert_eq!(model.sum(""), [0.0, 0.0]);
        assert_eq!(model.model().tokenizer_sha256, digest::sha256(WORDS.as_bytes()));
        assert_eq!(model.model().dimensions, 2);
    }

    #[test]
    fn a_model_that_nobody_named_has_the_locked_bytes_or_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), WORDS, &[[9, 9], [3, 0], [1, 0], [0, 2]]);
        let mut files = ModelFiles::in_folder(folder.path());
        let known = open_model(&files).unwrap().model().clone();
        let file = |sha256: &str| LockedModelFile { file: "m".into(), sha256: sha256.to_owned() };
        let mut locked = LockedModel {
            package: "m".to_owned(),
            version: "1".to_owned(),
            table: file(&known.sha256),
            tokenizer: file(&known.tokenizer_sha256),
        };
        files.locked = Some(locked.clone());
        assert_eq!(*open_model(&files).unwrap().model(), known);
        let other = "0".repeat(64);
        locked.tokenizer = file(&other);
        files.locked = Some(locked.clone());
        let refused = open_model(&files).unwrap_err();
        assert_eq!(refused.reason, Reason::ModelUnreadable);
        let said = format!("it has the digest {} instead of the locked {other} of m 1", known.tokenizer_sha256);
        assert_eq!(refused.message, format!("{}: {said}", files.tokenizer.display()));
        locked.table = file(&other);
        files.locked = Some(locked);
        assert!(open_model(&files).unwrap_err().message.starts_with(&files.table.display().to_string()));
    }

    #[test]
    fn a_folder_without_a_model_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let said = || open_model(&ModelFiles::in_folder(folder.path())).unwrap_err();
        assert_eq!(said().reason, Reason::ModelUnreadable);
        assert!(said().message.starts_with(&folder.path().join(TABLE).display().to_string()), "{}", said());
        write(folder.path(), WORDS, &[[9, 9], [3, 0], [1, 0]]);
        assert!(said().message.ends_with("it knows 4 tokens, and model.safetensors has vectors for 3"), "{}", said());
        write(folder.path(), "{}", &[[9, 9]]);
        assert!(said().message.contains("tokenizer.json: it describes no tokenizer"), "{}", said());
        std::fs::remove_file(folder.path().join(TOKENIZER)).unwrap();
        std::fs::create_dir(folder.path().join(TOKENIZER)).unwrap();
        assert!(said().message.ends_with("tokenizer.json: it is not a regular file"), "{}", said());
    }
}
