//! All rules of a project.

use std::collections::BTreeMap;

use ast_grep_language::SupportLang;
use tapps_base::finding::{Finding, Severity};
use tapps_base::source::Source;
use tapps_base::{ErrorCode, Result, digest};
use tapps_sandbox::Boundary;

use crate::language::language_of_path;
use crate::matching::{PatternMatch, find_matches};
use crate::read::{LARGEST_FILE, MOST_FILES, MOST_RULES, UsedUp, is_rule_file, read_rule_file, unusable_rules};
use crate::rule::PatternRule;

/// Where a project keeps them.
pub const RULES_FOLDER: &str = ".tapps-mcp/rules";

/// Most findings of one rule about one file; the last says how many more there are.
const MOST_FINDINGS: usize = 200;

/// The rules of a project, by their identifiers.
#[derive(Debug, Default)]
pub struct PatternRules {
    rules: BTreeMap<String, PatternRule>,
    digest: Option<String>,
}

impl PatternRules {
    /// Reads what the project has; nothing where it has no such folder.
    ///
    /// # Errors
    /// `config_error` that names the file, and the rule and field where they are known, for what cannot be used;
    /// `path_denied` for a link that leads out.
    pub fn read(boundary: &Boundary) -> Result<Self> {
        let folder = boundary.resolve(RULES_FOLDER)?;
        let names = match boundary.list(&folder) {
            Ok(names) => names,
            Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let mut found = Self::default();
        let (mut digests, mut used) = (BTreeMap::new(), UsedUp::default());
        for file in names.iter().map(|name| format!("{RULES_FOLDER}/{name}")).filter(|file| is_rule_file(file)) {
            if digests.len() == MOST_FILES {
                return Err(unusable_rules(&file, &format!("there are more than {MOST_FILES} files of rules"))
                    .hint("put several rules into one file, with `---` between them"));
            }
            let bytes = boundary.read(&boundary.resolve(&file)?, LARGEST_FILE).map_err(|error| match error.code() {
                ErrorCode::InvalidArgument => {
                    unusable_rules(&file, error.message()).hint("put the rules into several files")
                }
                _ => error,
            })?;
            let text = String::from_utf8(bytes)
                .map_err(|_| unusable_rules(&file, "it is not UTF-8").hint("write it in UTF-8"))?;
            for rule in read_rule_file(&file, &text, &mut used)? {
                found.enter(rule)?;
            }
            digests.insert(file, digest::sha256(text.as_bytes()));
        }
        if !digests.is_empty() {
            found.digest = Some(digest::of_json(&digests)?);
        }
        Ok(found)
    }

    fn enter(&mut self, rule: PatternRule) -> Result<()> {
        if let Some(other) = self.rules.get(rule.id()) {
            let why = format!("`id`: another rule of {} is called `{}` as well", other.file(), rule.id());
            return Err(unusable_rules(rule.file(), &why).hint("give each rule a name of its own"));
        }
        if self.rules.len() == MOST_RULES {
            return Err(unusable_rules(rule.file(), &format!("there are more than {MOST_RULES} rules"))
                .hint("remove rules that find nothing any more"));
        }
        self.rules.insert(rule.id().to_owned(), rule);
        Ok(())
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Every rule, by its identifier.
    pub fn iter(&self) -> impl Iterator<Item = &PatternRule> {
        self.rules.values()
    }

    /// Changes with every file of rules; none when there is no file.
    #[must_use]
    pub fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// Where the rules match in a file.
    ///
    /// # Errors
    /// `config_error` when the rules take too many steps in it.
    pub fn matches(&self, source: &Source) -> Result<Vec<PatternMatch>> {
        let Some((language, text)) = language_of_path(source.path()).zip(source.text()) else { return Ok(Vec::new()) };
        let configs: Vec<_> = self.spoken(source.path(), language).map(|rule| &rule.config).collect();
        find_matches(&configs, language, (source.path(), text))
    }

    fn spoken(&self, path: &str, language: SupportLang) -> impl Iterator<Item = &PatternRule> {
        self.iter().filter(move |rule| rule.speaks_of(path, language))
    }

    /// What the rules say of a file. A rule without a cost costs what is usual for its severity.
    ///
    /// # Errors
    /// `config_error` when the rules take too many steps in it.
    pub fn check(&self, source: &Source, usual_cost: fn(Severity) -> u32) -> Result<Vec<Finding>> {
        let found = self.matches(source)?;
        let mut findings = Vec::new();
        for rule in self.iter() {
            let own: Vec<_> = found.iter().filter(|one| one.rule == rule.id()).collect();
            let more = own.len().saturating_sub(MOST_FINDINGS);
            findings.extend(own.iter().take(MOST_FINDINGS).map(|one| rule.finding(one, usual_cost)));
            if let Some(last) = findings.last_mut().filter(|_| more > 0) {
                last.message.push_str(&format!(" (and {more} more in this file)"));
            }
        }
        Ok(findings)
    }
}
