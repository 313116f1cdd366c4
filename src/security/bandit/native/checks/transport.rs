//! Talking to others: certificates, timeouts, versions of TLS, host keys, SNMP.

use ruff_python_ast::{Expr, Parameters};
use tapps_base::finding::Severity::{High, Low, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::verdict::{Judged, Verdict};

const VERBS: [&str; 7] = ["get", "options", "head", "post", "put", "patch", "delete"];
const HTTPX_ONLY: [&str; 4] = ["request", "stream", "Client", "AsyncClient"];

const OLD_PROTOCOLS: &[&str] = &[
    "PROTOCOL_SSLv2",
    "SSLv2_METHOD",
    "SSLv23_METHOD",
    "PROTOCOL_SSLv3",
    "PROTOCOL_TLSv1",
    "SSLv3_METHOD",
    "TLSv1_METHOD",
    "PROTOCOL_TLSv1_1",
    "TLSv1_1_METHOD",
];

/// The library when the call sends a request by one of the two that are known.
fn requesting_library<'v>(view: &'v CallView<'_, '_>) -> Option<&'v str> {
    let library = view.parts().next()?;
    let verb = VERBS.contains(&view.name());
    let known = library == "requests" && verb || library == "httpx" && (verb || HTTPX_ONLY.contains(&view.name()));
    known.then_some(library)
}

pub(super) fn judge_certificate_check(view: &CallView<'_, '_>) -> Judged {
    let Some(library) = requesting_library(view) else { return Ok(None) };
    if !view.keyword_says("verify", &["False"])? {
        return Ok(None);
    }
    let text = format!("Call to {library} with verify=False disabling SSL certificate checks, security issue.");
    Ok(Some(Verdict::new("B501", (High, High), 295, "").saying(text).on_line(view.keyword_line("verify"))))
}

pub(super) fn judge_timeout(view: &CallView<'_, '_>) -> Judged {
    let Some(library) = requesting_library(view) else { return Ok(None) };
    let given = view.keyword_value("timeout")?;
    let text = match given {
        // What has to be evaluated is taken for missing.
        None if library == "requests" => format!("Call to {library} without timeout"),
        Some(value) if value.is_text("None") => format!("Call to {library} with timeout set to None"),
        _ => return Ok(None),
    };
    Ok(Some(Verdict::new("B113", (Medium, Low), 400, "").saying(text)))
}

pub(super) fn judge_tls_version(view: &CallView<'_, '_>) -> Judged {
    let (keyword, text) = match view.qualified.as_str() {
        "ssl.wrap_socket" => {
            ("ssl_version", "ssl.wrap_socket call with insecure SSL/TLS protocol version identified, security issue.")
        }
        "pyOpenSSL.SSL.Context" => {
            ("method", "SSL.Context call with insecure SSL/TLS protocol version identified, security issue.")
        }
        _ => return judge_tls_version_elsewhere(view),
    };
    let old = view.keyword_says(keyword, OLD_PROTOCOLS)?;
    Ok(old.then(|| Verdict::new("B502", (High, High), 327, text).on_line(view.keyword_line(keyword))))
}

fn judge_tls_version_elsewhere(view: &CallView<'_, '_>) -> Judged {
    if view.keywords().is_empty() {
        return Ok(None);
    }
    let old = view.keyword_says("method", OLD_PROTOCOLS)? || view.keyword_says("ssl_version", OLD_PROTOCOLS)?;
    let line = view.keyword_line("method").or_else(|| view.keyword_line("ssl_version"));
    let text = "Function call with insecure SSL/TLS protocol identified, possible security issue.";
    Ok(old.then(|| Verdict::new("B502", (Medium, Medium), 327, text).on_line(line)))
}

/// An old version as the default of a parameter.
pub(in crate::bandit::native) fn judge_tls_default(parameters: &Parameters) -> Judged {
    let old =
        |default: &Expr| matches!(default, Expr::Attribute(found) if OLD_PROTOCOLS.contains(&found.attr.as_str()));
    let mut defaults = parameters.posonlyargs.iter().chain(&parameters.args).filter_map(|p| p.default.as_deref());
    let text =
        "Function definition identified with insecure SSL/TLS protocol version by default, possible security issue.";
    Ok(defaults.any(old).then(|| Verdict::new("B503", (Medium, Medium), 327, text)))
}

pub(super) fn judge_missing_tls_version(view: &CallView<'_, '_>) -> Judged {
    if view.qualified != "ssl.wrap_socket" || view.keyword_value("ssl_version")?.is_some() {
        return Ok(None);
    }
    let text = "ssl.wrap_socket call with no SSL/TLS protocol version specified, the default SSLv23 could be insecure, possible \
                security issue.";
    Ok(Some(Verdict::new("B504", (Low, Medium), 327, text).on_line(view.keyword_line("ssl_version"))))
}

pub(super) fn judge_host_keys(view: &CallView<'_, '_>) -> Judged {
    if view.name() != "set_missing_host_key_policy" || !view.imports.has_like("paramiko") {
        return Ok(None);
    }
    let last_name = |expr: &Expr| match expr {
        Expr::Attribute(attribute) => Some(attribute.attr.to_string()),
        Expr::Name(name) => Some(name.id.to_string()),
        _ => None,
    };
    let policy = view.positional().first().and_then(|policy| match policy {
        Expr::Call(call) => last_name(&call.func),
        other => last_name(other),
    });
    let trusting = policy.is_some_and(|policy| ["AutoAddPolicy", "WarningPolicy"].contains(&policy.as_str()));
    let text = "Paramiko call with policy set to automatically trust the unknown host key.";
    let line = view.keyword_line("set_missing_host_key_policy");
    Ok(trusting.then(|| Verdict::new("B507", (High, Medium), 295, text).on_line(line)))
}

pub(super) fn judge_snmp_version(view: &CallView<'_, '_>) -> Judged {
    if view.qualified != "pysnmp.hlapi.CommunityData" {
        return Ok(None);
    }
    let old = view.keyword_value("mpModel")?.is_some_and(|model| model.equals_number(0) || model.equals_number(1));
    let text = "The use of SNMPv1 and SNMPv2 is insecure. You should use SNMPv3 if able.";
    Ok(old.then(|| Verdict::new("B508", (Medium, High), 319, text).on_line(view.keyword_line("CommunityData"))))
}

pub(super) fn judge_snmp_encryption(view: &CallView<'_, '_>) -> Judged {
    let open = view.qualified == "pysnmp.hlapi.UsmUserData" && view.positional().len() < 3;
    let text = "You should not use SNMPv3 without encryption. noAuthNoPriv & authNoPriv is insecure";
    Ok(open.then(|| Verdict::new("B509", (Medium, High), 319, text).on_line(view.keyword_line("UsmUserData"))))
}
