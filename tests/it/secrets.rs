//! Precision and recall of the secret rules on labelled lines of many kinds and file types.
//!
//! The lines are templates: nothing in the repository looks like a live secret, to this scanner or to another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use tapps_base::source::Source;
use tapps_security::{redact, secrets};

const POSITIVES: &str = include_str!("../fixtures/secrets/positives.tsv");
const NEGATIVES: &str = include_str!("../fixtures/secrets/negatives.tsv");

const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A generator that gives the same values on every run (the SplitMix64 recurrence).
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn text(&mut self, alphabet: &str, length: usize) -> String {
        let bytes = alphabet.as_bytes();
        (0..length).map(|_| char::from(bytes[self.below(bytes.len())])).collect()
    }

    /// What a person chooses when told to mix: small and capital letters, digits, one sign.
    fn password(&mut self, length: usize) -> String {
        let mut text = self.text(LOWER, length.saturating_sub(5)) + &self.text(UPPER, 2) + &self.text(DIGITS, 2);
        let sign = self.text("!_-.*+", 1);
        text.insert_str(2 + self.below(text.len() - 3), &sign);
        text
    }

    fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|length| self.text(HEX, length)).join("-")
    }

    fn armour(&mut self, label: &str, separator: &str, header: &str) -> String {
        let base64 = format!("{UPPER}{LOWER}{DIGITS}+/");
        let mut lines: Vec<String> = (0..6).map(|_| self.text(&base64, 64)).collect();
        if label.starts_with("OPENSSH") {
            lines[0].replace_range(..32, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUA");
        }
        lines.push(self.text(&base64, 30) + "==");
        let dashes = "-----";
        let body = lines.join(separator);
        format!("{dashes}BEGIN {label}{dashes}{separator}{header}{body}{separator}{dashes}END {label}{dashes}")
    }

    fn value(&mut self, template: &str) -> String {
        let (kind, argument) = template.split_once(':').unwrap_or((template, ""));
        let letters = format!("{LOWER}{UPPER}");
        let alphabet = match kind {
            "b62" => format!("{letters}{DIGITS}"),
            "b64" => format!("{letters}{DIGITS}+/"),
            "b64u" => format!("{letters}{DIGITS}_-"),
            "hex" => HEX.to_owned(),
            "HEX" => HEX.to_uppercase(),
            "dig" => DIGITS.to_owned(),
            "dig9" => "123456789".to_owned(),
            "let" => letters,
            "b32" => format!("{UPPER}234567"),
            "B36" => format!("{UPPER}{DIGITS}"),
            "b36" => format!("{LOWER}{DIGITS}"),
            "dj" => format!("{LOWER}{DIGITS}!@#$%^&*(-_=+)"),
            "pw" => return self.password(argument.parse().unwrap()),
            "uuid" => return self.uuid(),
            "sum" => {
                let body = self.text(&format!("{letters}{DIGITS}"), 30);
                return format!("{argument}{body}{}", secrets::checksum::checksum_of_body(&body));
            }
            "basic" => return STANDARD.encode(format!("ci:{}", self.password(14))),
            "jwt" => {
                let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
                let signature = self.text(&format!("{letters}{DIGITS}_-"), 43);
                return format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(argument));
            }
            "pem" => return self.armour(argument, "\n", ""),
            "pemline" => return self.armour(argument, "\\n", ""),
            "pemindent" => return self.armour(argument, "\n    ", ""),
            "pemjava" => return self.armour(argument, "\\n\" +\n    \"", ""),
            "pemproc" => {
                let header = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n";
                return self.armour(argument, "\n", header);
            }
            "join" => return argument.replace('|', ""),
            "rep" => {
                let (piece, count) = argument.split_once(':').unwrap();
                return piece.repeat(count.parse().unwrap());
            }
            // Not one of ours: a template of the language in the line.
            _ => return format!("{{{{{template}}}}}"),
        };
        self.text(&alphabet, argument.parse().unwrap())
    }

    fn expand(&mut self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some(start) = rest.find("{{") {
            // A template may end in braces of its own, as the claims of a token do.
            let Some(mut end) = rest[start..].find("}}").map(|at| start + at) else { break };
            if rest[end..].starts_with("}}}") {
                end += 1;
            }
            text.push_str(&rest[..start]);
            text.push_str(&self.value(&rest[start + 2..end]));
            rest = &rest[end + 2..];
        }
        (text + rest).replace('↵', "\n")
    }
}

fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with("# ") && !line.is_empty())
}

/// Codes of the rules that report something in `text`, had it been the file `path`.
fn codes(path: &str, text: &str) -> Vec<String> {
    let findings = secrets::scan_for_secrets(&Source::new(path, text.as_bytes()));
    findings.iter().map(|finding| finding.rule.trim_start_matches("secrets:").to_owned()).collect()
}

#[derive(Default)]
struct Count {
    found: usize,
    missed: usize,
    false_alarms: usize,
}

#[test]
fn precision_and_recall_on_labelled_lines() {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut wrong = String::new();
    for (number, line) in lines(POSITIVES).enumerate() {
        let mut columns = line.splitn(3, '\t');
        let (rule, path, template) = (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap());
        let text = Noise(number as u64).expand(template);
        let mut reported = codes(path, &text);
        let hit = reported.iter().position(|code| code == rule).map(|at| reported.remove(at));
        let count = counts.entry(rule.to_owned()).or_default();
        if hit.is_some() {
            count.found += 1;
        } else {
            count.missed += 1;
            writeln!(wrong, "missed {rule} in {path}: {text}").unwrap();
        }
        for code in reported {
            writeln!(wrong, "also {code} in {path}: {text}").unwrap();
            counts.entry(code).or_default().false_alarms += 1;
        }
    }
    let positives = lines(POSITIVES).count();
    for (number, line) in lines(NEGATIVES).enumerate() {
        let (path, template) = line.split_once('\t').unwrap();
        let text = Noise((positives + number) as u64).expand(template);
        for code in codes(path, &text) {
            writeln!(wrong, "false {code} in {path}: {text}").unwrap();
            counts.entry(code).or_default().false_alarms += 1;
        }
    }
    println!("{:32} {:>6} {:>6} {:>6}", "rule", "found", "missed", "false");
    for (rule, count) in &counts {
        println!("{rule:32} {:6} {:6} {:6}", count.found, count.missed, count.false_alarms);
    }
    println!("{wrong}");
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>() as f64;
    let (found, missed, alarms) = (sum(|c| c.found), sum(|c| c.missed), sum(|c| c.false_alarms));
    let (precision, recall) = (found / (found + alarms), found / (found + missed));
    println!("{positives} positives, {} negatives", lines(NEGATIVES).count());
    println!("precision {precision:.4}, recall {recall:.4}");
    assert!(positives >= 250 && lines(NEGATIVES).count() >= 400);
    assert!(precision >= 0.95, "precision {precision:.4}\n{wrong}");
    assert!(recall >= 0.90, "recall {recall:.4}\n{wrong}");
}

#[test]
fn redacted_text_keeps_nothing_of_a_secret() {
    let mut checked = 0;
    for (number, line) in lines(POSITIVES).enumerate() {
        let template = line.splitn(3, '\t').nth(2).unwrap();
        let (mut noise, text) = (Noise(number as u64), Noise(number as u64).expand(template));
        if codes("unknown", &text).is_empty() {
            continue;
        }
        let clean = redact(&text);
        // The first generated value of the line is, or is part of, the secret.
        let first =
            template.split_once("{{").and_then(|(_, rest)| rest.split_once("}}")).map(|(name, _)| name).unwrap();
        if !["pem", "pemline", "sum", "pw", "hex", "b62"].contains(&first.split(':').next().unwrap()) {
            continue;
        }
        let value = noise.value(first);
        let (head, tail) = (&value[..value.len() / 2], &value[value.len() / 2..]);
        if value.len() >= 20 && codes("unknown", &text).len() == 1 && template.matches("{{").count() == 1 {
            assert!(!clean.contains(head) && !clean.contains(tail), "{clean}");
            assert_eq!(redact(&clean), clean);
            checked += 1;
        }
    }
    assert!(checked >= 60, "{checked}");
}

#[test]
fn a_long_line_costs_no_more_than_its_length() {
    // Every place looks like a beginning; a quadratic scanner would not come back.
    for piece in ["password=", "eyJ", "sk-ant-", "://", "token: \"", "-----BEGIN ", "AKIA"] {
        let text = piece.repeat(1_000_000 / piece.len());
        assert!(codes("bundle.min.js", &text).is_empty(), "{piece}");
    }
}
