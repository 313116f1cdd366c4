//! Archives copied and then unpacked.

use super::super::shell::Command;
use super::is_archive;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-copied-archive",
        Category::Maintainability,
        Severity::Info,
        "The archive stays in the image besides what is unpacked from it.",
        "use ADD, which unpacks it",
    ),
    hadolint: &["DL3010"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for copy in file.all("COPY").filter(|copy| copy.flag("from").is_none()) {
        let Some((target, sources)) = copy.words.split_last() else { continue };
        for source in sources.iter().filter(|source| is_archive(source)) {
            let name = source.rsplit('/').next().unwrap_or(source);
            let named = |word: &String| word.rsplit('/').next() == Some(name) || word == target;
            let later = file.runs().filter(|(run, _)| run.stage == copy.stage && run.place.line > copy.place.line);
            let unpacks = |command: &Command| matches!(command.name(), "tar" | "unzip" | "gunzip" | "bunzip2" | "unxz");
            if later.into_iter().any(|(_, command)| unpacks(command) && command.arguments().iter().any(named)) {
                sink.say(copy.place, format!("`{name}` is copied and then unpacked"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nCOPY x.tar.gz /t/\nRUN tar xzf /t/x.tar.gz\n", &[2]), ("FROM a:1\nCOPY x.tar.gz /t/\n", &[])],
        );
    }
}
