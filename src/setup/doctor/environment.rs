//! Where the project's libraries of Python are installed: what is not found is not checked.

use std::sync::Arc;

use super::Patient;
use super::finding_from_error;
use super::report::Finding;
use tapps_base::Result;
use tapps_project::packages::Ecosystem;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::versions::Pins;
use tapps_sandbox::Boundary;

pub(super) fn check_environment(patient: &Patient) -> Finding {
    let boundary = match Patient::require_healthy(&patient.boundary, "the project root") {
        Ok(boundary) => boundary,
        Err(skipped) => return skipped,
    };
    let named = match Patient::require_healthy(&patient.config, "the configuration") {
        Ok((config, _)) => config.python.environment.as_ref(),
        Err(skipped) => return skipped,
    };
    let opened = match named {
        Some(folder) => PythonEnvironment::open(folder),
        None => Boundary::open(boundary.root()).map(|own| PythonEnvironment::of_project(Arc::new(own))),
    };
    let (environment, asks) = match opened.and_then(|environment| Ok((environment, asks_for_libraries(boundary)?))) {
        Ok(known) => known,
        Err(error) => return finding_from_error(&error),
    };
    let installed = environment.distributions().count();
    if installed > 0 || !asks {
        let place = if environment.is_named() { environment.boundary().root() } else { boundary.root() };
        let libraries = if installed == 1 { "library" } else { "libraries" };
        return Finding::ok(format!("{installed} {libraries} of Python installed in {}", place.display()));
    }
    let what =
        "the project asks for libraries of Python, and has no environment: their names and types are not checked";
    match patient.surroundings.active_environment() {
        Some(active) => Finding::warning(
            format!("{what}; {} is active", active.display()),
            format!("if the project's libraries are there, set TAPPS_MCP_PYTHON_ENVIRONMENT={}", active.display()),
        ),
        None => Finding::ok(what),
    }
}

fn asks_for_libraries(boundary: &Boundary) -> Result<bool> {
    let pins = Pins::from_texts(&Pins::read_texts(boundary)?);
    Ok(pins.iter().any(|pin| pin.ecosystem == Ecosystem::PyPi && pin.is_direct()))
}
