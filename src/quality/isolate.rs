//! Which file ends a tool: it is found by halves, and the others are asked about as if it were not there.

use std::collections::BTreeMap;

use futures::future::BoxFuture;

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::report::FileReport;
use tapps_base::shortage::Shortage;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::{Ending, Finished};

/// Answers by path.
pub type Answers = BTreeMap<String, AnalyzerOutcome<FileReport>>;

/// One analyzer, ready to be asked about any of the files of a request.
pub(crate) trait Question: Send + Sync {
    /// Asks about some files at once; about none, to learn whether the tool works at all.
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>>;

    /// Says that more runs follow.
    fn expect_many_runs(&self) {}
}

/// Asks about all files at once, and where that fails about ever smaller halves. A file that fails alone has no answer; a
/// tool that fails without any file has none for all of them.
///
/// # Errors
/// What ends the whole call.
pub(crate) async fn ask_by_halves(tool: &'static str, question: &dyn Question, sources: &[&Source]) -> Result<Answers> {
    let mut answers = Answers::new();
    let mut works = false;
    let mut parts = vec![sources];
    while let Some(part) = parts.pop() {
        let error = match question.ask(part).await {
            Ok(found) => {
                answers.extend(found);
                continue;
            }
            Err(error) => unless_call_is_over(error)?,
        };
        if !may_be_a_files(&error) {
            answers.extend(failure_of_all(part, tool, &error));
            continue;
        }
        if !works && let Err(error) = question.ask(&[]).await {
            let broken = unless_call_is_over(error)?;
            for part in parts.drain(..).chain([part]) {
                answers.extend(failure_of_all(part, tool, &broken));
            }
            continue;
        }
        works = true;
        if part.len() > 1 {
            question.expect_many_runs();
            let (first, second) = part.split_at(part.len() / 2);
            parts.extend([second, first]);
        } else {
            answers.extend(failure_of_all(part, tool, &error));
        }
    }
    Ok(answers)
}

/// Errors that end the whole call come out; the others stay with the tool.
pub(crate) fn unless_call_is_over(error: Error) -> Result<Error> {
    match error.code() {
        ErrorCode::Cancelled | ErrorCode::Timeout | ErrorCode::ToolchainMismatch | ErrorCode::ResourceExhausted => {
            Err(error)
        }
        _ => Ok(error),
    }
}

/// True for a failure that one of the files may have brought about.
fn may_be_a_files(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::DegradedResult | ErrorCode::CorruptedData)
}

/// The same failure of one tool for every file.
pub(crate) fn failure_of_all(sources: &[&Source], tool: &'static str, error: &Error) -> Answers {
    sources.iter().map(|source| (source.path().to_owned(), AnalyzerOutcome::from_error(tool, error))).collect()
}

/// One answer for many files: a file without an entry is clean.
pub(crate) fn answers_of_all(sources: &[&Source], mut found: BTreeMap<String, impl Into<FileReport>>) -> Answers {
    let answer = |source: &&Source| {
        let path = source.path().to_owned();
        let report = found.remove(&path).map(Into::into).unwrap_or_default();
        (path, AnalyzerOutcome::Measured(report))
    };
    sources.iter().map(answer).collect()
}

/// Fails for a run that did not come to one of the expected ends. What is said of a file is the same in every run and on
/// every machine, so it quotes nothing; of a tool that fails without any file its own words are told.
pub(crate) fn require_expected_end(tool: &str, sources: &[&Source], finished: &Finished, codes: &[i32]) -> Result<()> {
    let how = match finished.ending() {
        Ending::Code(code) if codes.contains(&code) => return Ok(()),
        Ending::Code(code) => format!("ended with exit code {code}"),
        Ending::Crashed => "ended by a signal".to_owned(),
        Ending::OutOfTime => "passed its limit of CPU time".to_owned(),
    };
    if let Some(shortage) = Shortage::in_words(&String::from_utf8_lossy(&finished.stderr)) {
        let message = format!("{tool} {how}, since the machine lacked something");
        return Err(Error::exhausted(message, shortage).tool(tool));
    }
    let failed = |about: &str| Error::new(ErrorCode::DegradedResult, format!("{tool} {how}{about}")).tool(tool);
    match sources {
        [] => {
            let said = finished.last_errors(3);
            let said = if said.is_empty() { first_line(&finished.stdout) } else { said };
            Err(failed("").hint(said))
        }
        [_] => Err(failed(" on this file")),
        _ => Err(failed(" on one of these files")),
    }
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or("it said nothing").chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// A tool that dies of some files, and keeps what it was asked.
    struct Fragile {
        deadly: Vec<&'static str>,
        broken: Option<ErrorCode>,
        asked: Mutex<Vec<usize>>,
    }

    impl Question for Fragile {
        fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
            Box::pin(async move {
                self.asked.lock().unwrap().push(sources.len());
                if let Some(code) = self.broken {
                    return Err(Error::new(code, "fragile is broken"));
                }
                if sources.iter().any(|source| self.deadly.contains(&source.path())) {
                    return Err(Error::new(ErrorCode::DegradedResult, "fragile ended by a signal on this file"));
                }
                let report = |source: &&Source| (source.path().to_owned(), report_of_size(source.bytes().len()));
                Ok(answers_of_all(sources, sources.iter().map(report).collect::<BTreeMap<_, _>>()))
            })
        }
    }

    fn report_of_size(size: usize) -> FileReport {
        FileReport { syntax_errors: vec![(size.to_string(), 1, 1)], ..FileReport::default() }
    }

    fn files(count: usize) -> Vec<Source> {
        (0..count).map(|n| Source::new(&format!("{n}.py"), vec![b' '; n])).collect()
    }

    async fn ask(deadly: &[&'static str], broken: Option<ErrorCode>) -> (Result<Answers>, Vec<usize>) {
        let tool = Fragile { deadly: deadly.to_vec(), broken, asked: Mutex::default() };
        let sources = files(64);
        let answers = ask_by_halves("fragile", &tool, &sources.iter().collect::<Vec<_>>()).await;
        (answers, tool.asked.into_inner().unwrap())
    }

    #[tokio::test]
    async fn the_deadly_file_alone_has_no_answer() {
        let (answers, asked) = ask(&["20.py", "50.py"], None).await;
        let answers = answers.unwrap();
        assert_eq!(answers.len(), 64);
        for (path, answer) in &answers {
            let expected: usize = path.trim_end_matches(".py").parse().unwrap();
            match answer {
                AnalyzerOutcome::Measured(report) => assert_eq!(*report, report_of_size(expected), "{path}"),
                AnalyzerOutcome::Failed { reason, .. } => {
                    assert!(path == "20.py" || path == "50.py", "{path}");
                    assert_eq!(reason, "fragile ended by a signal on this file");
                }
                AnalyzerOutcome::Skipped { .. } => panic!("{path}"),
            }
        }
        assert!(asked.len() < 30, "by halves: {asked:?}");
    }

    #[tokio::test]
    async fn a_tool_that_fails_without_any_file_is_asked_no_further() {
        let (answers, asked) = ask(&[], Some(ErrorCode::DegradedResult)).await;
        assert_eq!(asked, [64, 0]);
        let reason = |answer: &AnalyzerOutcome<FileReport>| matches!(answer, AnalyzerOutcome::Failed { reason, .. } if reason == "fragile is broken");
        assert!(answers.unwrap().values().all(reason));
        let (answers, asked) = ask(&[], Some(ErrorCode::ToolUnavailable)).await;
        assert_eq!((answers.unwrap().len(), asked), (64, vec![64]));
    }

    #[tokio::test]
    async fn what_the_machine_lacks_ends_the_call() {
        for code in [ErrorCode::ResourceExhausted, ErrorCode::Timeout, ErrorCode::Cancelled] {
            let (answers, asked) = ask(&[], Some(code)).await;
            assert_eq!(answers.unwrap_err().code(), code);
            assert_eq!(asked, [64]);
        }
    }
}
