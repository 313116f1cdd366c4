//! The `tapps-mcp` program: hands its arguments over.

use std::process::ExitCode;

/// Code intelligence allocates and frees a great deal, over which this allocator takes a sixth less time than glibc's.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    tapps_base::program::set_source_digest(env!("DIGEST_OF_SOURCE"));
    // The hidden mode that outlives a program comes first and touches nothing else.
    #[cfg(unix)]
    if tapps_toolchain::watch::run_if_watcher(std::env::args_os()) {
        return ExitCode::SUCCESS;
    }
    tapps_mcp::cli::run::main()
}
