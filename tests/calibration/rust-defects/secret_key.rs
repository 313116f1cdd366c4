// expects secrets:*
pub const ACCESS_KEY: &str = "{{access_key}}";
