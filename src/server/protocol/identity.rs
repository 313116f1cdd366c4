//! What the server says about itself.

use rmcp::model::{Implementation, JsonObject, ServerCapabilities, ServerConfig};
use tapps_base::program;

/// Name, title, version and instructions.
#[derive(Debug, Clone)]
pub struct Identity {
    pub name: &'static str,
    pub title: &'static str,
    pub version: String,
    pub description: &'static str,
    /// What a model should know before it calls anything; at most 2 KB, since clients cut the rest off.
    pub instructions: String,
}

/// Optional parts of the protocol.
#[derive(Debug, Clone, Copy, Default)]
pub struct Features {
    /// Calls of some tools can become tasks.
    pub tasks: bool,
    /// Log notifications of the older era.
    pub logging: bool,
}

impl Identity {
    /// The product's own.
    #[must_use]
    pub fn product(instructions: impl Into<String>) -> Self {
        Self {
            name: program::NAME,
            title: "TappsMCP",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            description: program::DESCRIPTION,
            instructions: instructions.into(),
        }
    }

    /// The answer to `initialize` and the base of the answer to `server/discover`.
    #[must_use]
    pub(super) fn server_config(&self, features: Features, skills: bool) -> ServerConfig {
        let builder = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions();
        let builder = if features.tasks { builder.enable_tasks() } else { builder };
        let builder = if skills { builder.enable_skills() } else { builder };
        let mut capabilities = builder.build();
        capabilities.logging = features.logging.then(JsonObject::new);
        let implementation = Implementation::new(self.name, self.version.clone())
            .with_title(self.title)
            .with_description(self.description);
        let config = ServerConfig::new(capabilities).with_server_info(implementation);
        if self.instructions.is_empty() { config } else { config.with_instructions(self.instructions.clone()) }
    }
}
