//! A file for the experts out of a project's own documents: what they say, in the form that answers are made of. Nothing is
//! added to what stands there, and what they do not say is left out and named.

mod blocks;
mod parts;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::corpus::ExpertCorpus;
use super::domain::Domain;
use super::file::{Knowledge, KnowledgeOrigin};
use super::validate::validate_file;
use blocks::{DocumentBlock, read_document};
use parts::{Part, part_of_block};
use tapps_base::page::Problem;
use tapps_base::{Error, Result, atomic};
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, ProjectPath};

/// Largest document that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Most documents of a file.
const MOST_DOCUMENTS: usize = 20;
/// Least questions that a file answers.
const LEAST_QUESTIONS: usize = 3;
/// Most addresses that are named as sources besides the documents.
const MOST_ADDRESSES: usize = 8;

/// What a file is to be made of.
#[derive(Debug, Clone)]
pub struct DraftRequest {
    pub domain: Domain,
    /// Small letters, digits and dashes: the name of the file.
    pub topic: String,
    /// None takes the first heading of the documents.
    pub title: Option<String>,
    /// What it answers, at least three; questions are searched for more than anything else.
    pub questions: Vec<String>,
    /// Markdown files of the project.
    pub documents: Vec<ProjectPath>,
    /// The day on which somebody vouches for it, `YYYY-MM-DD`.
    pub reviewed: String,
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// `<domain>/<topic>`.
    pub name: String,
    /// Where it belongs.
    pub file: String,
    pub text: String,
    /// Where each section comes from, in order.
    pub sections: Vec<DraftedSection>,
    /// Passages of the documents that are not in it, as `FILE:FIRST-LAST`.
    pub left_out: Vec<String>,
    /// What the form asks for and the documents do not say. The file is usable all the same.
    pub problems: Vec<Problem>,
    /// True once it lies among the project's knowledge.
    pub saved: bool,
}

/// A section of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DraftedSection {
    pub heading: String,
    /// The passages that it is made of, as `FILE:FIRST-LAST`.
    pub from: Vec<String>,
}

impl ExpertCorpus {
    /// Makes a file out of documents of the project, and keeps it when `save` is true.
    ///
    /// # Errors
    /// `invalid_argument` for a topic that is no name, too few questions, documents that hold neither rules nor a table to
    /// decide by, a file that is there already, and text that would be withheld; those of reading and writing.
    pub fn draft_file(&self, boundary: &Boundary, request: &DraftRequest, save: bool) -> Result<Draft> {
        check_request(request)?;
        let mut blocks = Vec::new();
        for path in &request.documents {
            let text = String::from_utf8(boundary.read(path, MOST_BYTES)?)
                .map_err(|_| Error::invalid(format!("{} is not UTF-8", path.as_str())).hint("save it as UTF-8"))?;
            blocks.extend(read_document(path.as_str(), &text));
        }
        let name = format!("{}/{}", request.domain, request.topic);
        let file = format!("{STATE_FOLDER}/knowledge/{name}.md");
        if self.own_file(&name).is_some() {
            return Err(Error::invalid(format!("{file} is there already"))
                .hint("choose another topic, or remove the file first: what people wrote there is not overwritten"));
        }
        let mut draft = write_draft(request, &blocks, name, file)?;
        let mut read = Knowledge::parse_file(&draft.name, &draft.file, KnowledgeOrigin::Project, &draft.text)
            .map_err(|problem| Error::invalid(problem.to_string()).hint("shorten the title and the questions"))?;
        draft.problems = validate_file(&read, |name| self.file(name).is_some());
        let withheld = |problem: Problem| Error::invalid(problem.message.clone()).hint("see `tapps-mcp guard check`");
        read.screen_text().map_err(withheld)?;
        if save {
            let folder = boundary.state_folder()?.join("knowledge").join(request.domain.as_str());
            std::fs::create_dir_all(&folder)
                .map_err(|error| Error::io(format_args!("cannot make the folder of {}", draft.file), &error))?;
            atomic::write(&folder.join(format!("{}.md", request.topic)), draft.text.as_bytes())?;
            draft.saved = true;
        }
        Ok(draft)
    }
}

fn check_request(request: &DraftRequest) -> Result<()> {
    let topic = &request.topic;
    let is_name = !topic.is_empty()
        && topic.len() <= 60
        && topic.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && topic.starts_with(|first: char| first.is_ascii_lowercase());
    if !is_name {
        return Err(Error::invalid(format!("`{}` is no topic", tapps_base::log_text(topic)))
            .hint("small letters, digits and dashes, for example feature-flags"));
    }
    if request.questions.iter().filter(|question| !question.trim().is_empty()).count() < LEAST_QUESTIONS {
        return Err(Error::invalid(format!("fewer than {LEAST_QUESTIONS} questions"))
            .hint("name what people will ask, half of it in everyday words: files are found by their questions"));
    }
    if request.documents.is_empty() || request.documents.len() > MOST_DOCUMENTS {
        return Err(Error::invalid(format!("{} documents", request.documents.len()))
            .hint(format!("name 1 to {MOST_DOCUMENTS} markdown files of the project; nothing is made up")));
    }
    Ok(())
}

fn write_draft(request: &DraftRequest, blocks: &[DocumentBlock], name: String, file: String) -> Result<Draft> {
    let mut by_part: Vec<(Part, Vec<&DocumentBlock>)> = Part::ALL.iter().map(|part| (*part, Vec::new())).collect();
    let mut left_out = Vec::new();
    for block in blocks {
        let lines = block.text.lines().count();
        let slot = part_of_block(block).and_then(|part| by_part.iter_mut().find(|(of, _)| *of == part));
        let room = |(part, held): &&mut (Part, Vec<&DocumentBlock>)| {
            let used: usize = held.iter().map(|block| block.text.lines().count() + 1).sum();
            used + lines <= part.most_lines()
        };
        match slot.filter(room) {
            Some((_, held)) => held.push(block),
            None => left_out.push(block.place()),
        }
    }
    let has = |wanted: Part| by_part.iter().any(|(part, held)| *part == wanted && !held.is_empty());
    if !has(Part::Rules) && !has(Part::Decision) {
        return Err(Error::invalid("the documents hold neither rules nor a table to decide by")
            .hint("a list below a heading such as `Rules`, or a table; a file is made of what stands there alone"));
    }
    let title = request.title.clone().or_else(|| blocks.iter().find_map(|block| block.title.clone()));
    let title = title.unwrap_or_else(|| request.topic.replace('-', " "));
    let mut text = front_matter(request, &title, blocks);
    let mut sections: Vec<DraftedSection> = Vec::new();
    for (part, held) in by_part.iter().filter(|(_, held)| !held.is_empty()) {
        text.push_str(part.heading());
        for block in held {
            let _ = writeln!(text, "{}\n", block.text.trim_end());
        }
        let from = held.iter().map(|block| block.place()).collect();
        sections.push(DraftedSection { heading: part.heading().trim_matches(['#', ' ', '\n']).to_owned(), from });
    }
    let text = format!("{}\n", text.trim_end());
    Ok(Draft { name, file, text, sections, left_out, problems: Vec::new(), saved: false })
}

/// The front matter and the title. JSON's strings are YAML's.
fn front_matter(request: &DraftRequest, title: &str, blocks: &[DocumentBlock]) -> String {
    let quote = |text: &str| serde_json::Value::from(text.trim()).to_string();
    let mut text = format!("---\ntitle: {}\ndomain: {}\n", quote(title), request.domain);
    let tags: Vec<&str> = request.topic.split('-').filter(|part| part.len() > 1).collect();
    let _ = writeln!(text, "tags: [{}]\nquestions:", tags.iter().map(|tag| quote(tag)).collect::<Vec<_>>().join(", "));
    for question in request.questions.iter().filter(|question| !question.trim().is_empty()) {
        let _ = writeln!(text, "  - {}", quote(question));
    }
    let _ = writeln!(text, "reviewed: {}\nsources:", request.reviewed);
    let mut addresses: Vec<&str> = Vec::new();
    for address in blocks.iter().flat_map(|block| &block.addresses) {
        if addresses.len() < MOST_ADDRESSES && !addresses.contains(&address.as_str()) {
            addresses.push(address);
        }
    }
    let documents = request.documents.iter().map(ProjectPath::as_str);
    documents.chain(addresses).for_each(|source| {
        let _ = writeln!(text, "  - {}", quote(source));
    });
    let _ = write!(text, "---\n# {}\n", title.trim());
    text
}
