//! Processes that the tests start beside themselves, listen to and kill. Not part of the product.
//!
//! `notes ROOT SESSION NAME COUNT` saves notes, `calls ROOT SESSION COUNT` writes the call log; each tells on standard
//! output what was acknowledged. `tool PROGRAM DATA CACHE SCRIPT` runs a Python text through the tool runner.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::clock;
use tapps_sandbox::Boundary;
use tapps_session::{CallLog, CheckedFile, LoggedCallOutcome, NewCall, Notes};
use tapps_toolchain::{Invocation, Program, ToolchainSettings, manage};

/// Longer than any test waits.
const LIMIT: Duration = Duration::from_secs(600);

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["notes", root, session, name, count] => notes(root, session, name, count.parse()?),
        ["calls", root, session, count] => calls(root, session, count.parse()?),
        ["tool", program, data, cache, script] => tool(program, data, cache, script),
        _ => Err(format!("unknown arguments {arguments:?}").into()),
    }
}

fn acknowledge(what: impl std::fmt::Display) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "acknowledged {what}")?;
    out.flush()
}

fn boundary(root: &str) -> Result<Arc<Boundary>, Box<dyn Error>> {
    Ok(Arc::new(Boundary::open(Path::new(root))?))
}

fn notes(root: &str, session: &str, name: &str, count: u32) -> Done {
    let notes = Notes::new(boundary(root)?, clock::system());
    for number in 0..count {
        // Over and over the same keys: the number of notes is bounded, that of saves is not.
        let key = format!("{name}-{}", number % 100);
        notes.save(session, &key, &number.to_string(), false)?;
        acknowledge(format_args!("{key} {number}"))?;
    }
    Ok(())
}

fn calls(root: &str, session: &str, count: u32) -> Done {
    let log = CallLog::new(boundary(root)?, clock::system());
    for number in 0..count {
        let files = [CheckedFile { file: format!("{number}.py"), sha256: "0".repeat(64), passed: true }];
        let call = NewCall { files: &files, ..NewCall::new(session, "tapps_quick_check", LoggedCallOutcome::Passed) };
        acknowledge(log.record(&call)?)?;
    }
    Ok(())
}

fn tool(program: &str, data: &str, cache: &str, script: &str) -> Done {
    let settings = ToolchainSettings {
        data_dir: data.into(),
        cache_dir: cache.into(),
        toolchain_dir: None,
        python: None,
        ..ToolchainSettings::from_env(Some(program.into()))?
    };
    let call = Call::quiet(LIMIT);
    let toolchain = manage::inspect_toolchain(&settings, &call)?;
    let arguments = ["run".to_owned(), format!("--data-file={script}.data"), script.to_owned()];
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(toolchain.run(Invocation::new(Program::Coverage).args(arguments), &call))?;
    Ok(())
}
