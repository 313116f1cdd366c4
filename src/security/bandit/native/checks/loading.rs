//! Running or loading what others wrote: `exec`, YAML, models, configuration from a socket.

use ruff_python_ast::Keyword;
use tapps_base::finding::Severity::{High, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::{Value, is_constant};
use crate::bandit::native::verdict::{Judged, Verdict};

pub(super) fn judge_exec(view: &CallView<'_, '_>) -> Judged {
    Ok((view.qualified == "exec").then(|| Verdict::new("B102", (Medium, High), 78, "Use of exec detected.")))
}

pub(super) fn judge_flask_debug(view: &CallView<'_, '_>) -> Judged {
    if !view.qualified.ends_with(".run") || !view.imports.has_like("flask") || !view.keyword_says("debug", &["True"])? {
        return Ok(None);
    }
    let text = "A Flask app appears to be run with debug=True, which exposes the Werkzeug debugger and allows the execution of \
                arbitrary code.";
    Ok(Some(Verdict::new("B201", (High, Medium), 94, text).on_line(view.keyword_line("debug"))))
}

pub(super) fn judge_logging_listener(view: &CallView<'_, '_>) -> Judged {
    let open = view.qualified == "logging.config.listen" && !view.has_keyword("verify")?;
    Ok(open.then(|| Verdict::new("B612", (Medium, High), 94, "Use of insecure logging.config.listen detected.")))
}

pub(super) fn judge_yaml(view: &CallView<'_, '_>) -> Judged {
    const SAFE: &[&str] = &["SafeLoader", "CSafeLoader"];
    if view.name() != "load" || !view.imports.has_exactly("yaml") || !view.parts().any(|part| part == "yaml") {
        return Ok(None);
    }
    let by_position = view.positional_value(1)?;
    let safe = view.keyword_says("Loader", SAFE)?
        || by_position.as_ref().and_then(Value::as_text).is_some_and(|loader| SAFE.contains(&loader));
    let text = "Use of unsafe yaml load. Allows instantiation of arbitrary objects. Consider yaml.safe_load().";
    Ok((!safe).then(|| Verdict::new("B506", (Medium, High), 20, text).on_line(view.own_line())))
}

pub(super) fn judge_torch(view: &CallView<'_, '_>) -> Judged {
    if !["torch.load", "torch.serialization.load"].contains(&view.qualified.as_str())
        || !view.imports.has_exactly("torch")
        || view.keyword_says("weights_only", &["True"])?
    {
        return Ok(None);
    }
    let line = view.keyword_line("load");
    Ok(Some(Verdict::new("B614", (Medium, High), 502, "Use of unsafe PyTorch load").on_line(line)))
}

/// Functions that download from a hub, with the library they belong to.
const DOWNLOADS: &[(&str, &str)] = &[
    ("from_pretrained", "transformers"),
    ("load_dataset", "datasets"),
    ("hf_hub_download", "huggingface_hub"),
    ("snapshot_download", "huggingface_hub"),
    ("repository_id", "huggingface_hub"),
];

pub(super) fn judge_hub_download(view: &CallView<'_, '_>) -> Judged {
    let Some((function, library)) = DOWNLOADS.iter().find(|(function, _)| *function == view.name()) else {
        return Ok(None);
    };
    let hub = ["transformers", "datasets", "huggingface_hub"];
    if !view.parts().any(|part| part == *library) || !hub.iter().any(|module| view.imports.has_like(module)) {
        return Ok(None);
    }
    let pins = |keyword: &Keyword| {
        keyword.arg.as_ref().is_some_and(|arg| ["revision", "commit_id"].contains(&arg.as_str()))
            && !is_constant(&keyword.value)
    };
    if view.keywords().iter().any(pins) {
        return Ok(None);
    }
    let revision = match view.keyword_value("revision")?.filter(|value| value.is_truthy()) {
        Some(revision) => Some(revision),
        None => view.keyword_value("commit_id")?,
    };
    if revision.and_then(Value::as_text).is_some_and(is_commit) {
        return Ok(None);
    }
    let first = view.positional_value(0)?;
    if first
        .as_ref()
        .and_then(Value::as_text)
        .is_some_and(|path| ["./", "/", "../"].iter().any(|p| path.starts_with(p)))
    {
        return Ok(None);
    }
    let text = format!("Unsafe Hugging Face Hub download without revision pinning in {function}()");
    Ok(Some(Verdict::new("B615", (Medium, High), 494, "").saying(text).on_line(view.keyword_line(function))))
}

/// At least the short form of a commit's name.
fn is_commit(revision: &str) -> bool {
    let bare = revision.trim_matches(['"', '\'']);
    bare.len() >= 7 && bare.bytes().all(|byte| byte.is_ascii_hexdigit())
}
