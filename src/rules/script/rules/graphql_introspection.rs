//! An interface that explains itself to everybody.

use super::prelude::*;
use crate::script::expressions::{called_parts, member_name};
use crate::script::options::{is_switch, option_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "graphql-introspection",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Everybody can list all fields and operations, also those that no page uses.",
    help: "switch introspection on by the environment, and off in production",
    explanation: "Introspection lists each type, field and operation of the interface, with those that are meant for \
        administrators. It is a help while one develops; in production it is a map for whoever looks for a way in. \
        Decide it by the environment, which is also the default.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const server = new ApolloServer({ typeDefs, resolvers, introspection: true });
",
        good: r#"export const server = new ApolloServer({ typeDefs, resolvers, introspection: process.env.NODE_ENV !== "production" });
"#,
    }],
    cwe: Some("CWE-200"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_graphql_introspection);

fn check_graphql_introspection<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let Some((callee, arguments)) = called_parts(node.kind()) else { return };
    let options: &[&str] = match member_name(callee) {
        Some("ApolloServer") => &["introspection", "playground"],
        Some("graphqlHTTP" | "createYoga" | "graphqlUploadExpress") => &["graphiql"],
        _ => return,
    };
    let shown = options
        .iter()
        .find(|name| option_of(context, arguments, &[name]).is_some_and(|option| is_switch(option, true)));
    // A plugin may answer the question who sees it.
    let is_governed = || {
        option_of(context, arguments, &["plugins"])
            .is_some_and(|list| context.text(list.span()).contains("ntrospection"))
    };
    if let Some(name) = shown.filter(|_| !context.is_test_file() && !is_governed()) {
        out.push(context.report(&RULE, node.kind().span(), format!("`{name}` is on wherever the program runs")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn interfaces_that_explain_themselves() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "new ApolloServer({ schema, introspection: true })",
                "app.use('/graphql', graphqlHTTP({ schema, graphiql: true }))",
                "const options = { playground: true, typeDefs }; new ApolloServer(options)",
            ],
        );
    }

    #[test]
    fn interfaces_that_do_so_at_home() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "new ApolloServer({ schema })",
                "new ApolloServer({ schema, introspection: isDevelopment })",
                "graphqlHTTP({ schema, graphiql: false })",
                "new Server({ introspection: true })",
                "new ApolloServer({ schema, introspection: true, plugins: [IntrospectionControlPlugin(config)] })",
            ],
        );
    }
}
