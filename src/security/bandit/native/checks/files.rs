//! Files: modes that let too many in, archives that may write anywhere.

use ruff_python_ast::Expr;
use tapps_base::finding::Severity::{High, Low, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::{Value, show_node};
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

const WRITABLE_BY_ALL: u64 = 0o002;
/// Writable by all, writable or executable by the group, executable by all.
const PERMISSIVE: u64 = 0o033;

pub(super) fn judge_file_mode(view: &CallView<'_, '_>) -> Judged {
    if !view.name().contains("chmod") || view.positional().len() != 2 {
        return Ok(None);
    }
    let Some(Value::Integer(Some(mode))) = view.positional_value(1)? else { return Ok(None) };
    if mode & PERMISSIVE == 0 {
        return Ok(None);
    }
    let severity = if mode & WRITABLE_BY_ALL != 0 { High } else { Medium };
    let file = view.positional_value(0)?.map_or_else(|| "NOT PARSED".to_owned(), |file| file.show_plainly());
    let text = format!("Chmod setting a permissive mask 0o{mode:o} on file ({file}).");
    Ok(Some(Verdict::new("B103", (severity, High), 732, "").saying(text)))
}

pub(super) fn judge_extraction(view: &CallView<'_, '_>) -> Judged {
    if !view.name().contains("extractall") || !view.imports.has_exactly("tarfile") {
        return Ok(None);
    }
    if view.has_keyword("filter")? && keyword_of(view, "filter").is_some_and(is_data_filter) {
        return Ok(None);
    }
    if !view.has_keyword("members")? {
        let text = "tarfile.extractall used without any validation. Please check and discard dangerous members.";
        return Ok(Some(Verdict::new("B202", (High, High), 22, text)));
    }
    let (weight, text) = match keyword_of(view, "members") {
        Some(Expr::Call(call)) => {
            let Expr::Name(function) = &*call.func else { return Err(Lost) };
            let members = format!("{{'Function': '{}'}}", function.id);
            let text = "Usage of tarfile.extractall(members=function(tarfile)). Make sure your function properly discards dangerous \
                        members";
            ((Low, Low), format!("{text} {members})."))
        }
        members => {
            let members = match members {
                Some(Expr::Name(name)) => format!("'{}'", name.id),
                Some(other) => show_node(other),
                None => String::new(),
            };
            let text = "Found tarfile.extractall(members=?) but couldn't identify the type of members. Check if the members were \
                        properly validated";
            ((Medium, Medium), format!("{text} {{'Other': {members}}})."))
        }
    };
    Ok(Some(Verdict::new("B202", weight, 22, "").saying(text)))
}

fn keyword_of<'a>(view: &CallView<'_, 'a>, name: &str) -> Option<&'a Expr> {
    let named = view.keywords().iter().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name));
    named.map(|keyword| &keyword.value)
}

fn is_data_filter(value: &Expr) -> bool {
    matches!(value, Expr::StringLiteral(literal) if literal.value.to_str() == "data")
}
