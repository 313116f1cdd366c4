//! The view of a verdict for clients that show MCP Apps: one page without foreign parts, which draws whatever result its
//! host hands it. Clients that show none read the same result as text.

/// Where the view is read.
pub const URI: &str = "ui://tapps-mcp/verdict";

/// The media type by which a client knows a view.
pub const MIME: &str = "text/html;profile=mcp-app";

/// The page.
pub const PAGE: &str = include_str!("view.html");
