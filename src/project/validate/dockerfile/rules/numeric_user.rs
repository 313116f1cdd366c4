//! Users named by word.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-numeric-user",
        Category::Maintainability,
        Severity::Info,
        "Orchestrators that demand a user other than root cannot tell it from a name.",
        "name the user by number",
    ),
    hadolint: &["DL3066"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for user in file.all("USER") {
        let name = user.words.first().map_or("", |word| word.split(':').next().unwrap_or_default());
        if !name.is_empty()
            && name != "root"
            && !name.starts_with('$')
            && !name.bytes().all(|byte| byte.is_ascii_digit())
        {
            sink.say(user.place, format!("the user `{name}` is named, not numbered"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("FROM a:1\nUSER app\n", &[2]), ("FROM a:1\nUSER 1000:1000\nUSER $U\n", &[])]);
    }
}
