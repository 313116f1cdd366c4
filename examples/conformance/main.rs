//! A test-only server that mounts the fixtures of the protocol's conformance suite on the product's own layers.
//!
//! `conformance --stdio` or `conformance --http 127.0.0.1:0`; over HTTP the address is the first line of output.

mod elicitation;
mod faults;
mod input_required;
mod plain;
mod prompts;
mod resources;
mod tasks;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use tapps_server::dispatch::{DispatchLimits, Dispatcher};
use tapps_server::protocol::{Features, Identity, McpServer, ServerParts, Updates};
use tapps_server::resources::Catalogue;
use tapps_server::tool::{Selection, Tool, ToolTable};
use tapps_server::transport::{HttpOptions, bind, serve_stdio};
use tokio_util::sync::CancellationToken;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    let result = runtime.block_on(run(&arguments));
    runtime.shutdown_background();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            writeln!(std::io::stderr(), "{error}").ok();
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let closing = CancellationToken::new();
    let server = server(&closing)?;
    match arguments {
        [mode] if mode == "--stdio" => serve_stdio(server, closing).await?,
        [mode, address] if mode == "--http" => {
            let options = HttpOptions::at(address.parse()?);
            let listening = bind(server, options, closing.clone()).await?;
            writeln!(std::io::stdout(), "{}", listening.url())?;
            // Whoever started this process ends it by closing its input.
            let end = closing.clone();
            tokio::spawn(async move {
                tokio::io::copy(&mut tokio::io::stdin(), &mut tokio::io::sink()).await.ok();
                end.cancel();
            });
            listening.serve(closing).await;
        }
        _ => return Err("usage: conformance --stdio | --http ADDRESS".into()),
    }
    Ok(())
}

fn server(closing: &CancellationToken) -> Result<McpServer, Box<dyn std::error::Error>> {
    let tools: Vec<Tool> =
        [plain::tools(), elicitation::tools(), input_required::tools(), tasks::tools(), faults::tools()].concat();
    let selection = Selection { toolsets: vec!["all".to_owned()], ..Selection::default() };
    Ok(McpServer::new(ServerParts {
        identity: Identity::product("Fixtures for tests."),
        features: Features { tasks: true, logging: true },
        table: ToolTable::select(tools, &selection)?,
        catalogue: Catalogue::new(resources::resources(), resources::templates()),
        prompts: prompts::prompts(),
        dispatcher: Dispatcher::new(
            DispatchLimits { deadline: Duration::from_secs(20), ..DispatchLimits::default() },
            closing.clone(),
        ),
        updates: Updates::default(),
    }))
}

/// One red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// A sound of no length.
pub(crate) const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
