//! A loop without end that asks a model again and again.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtWhile};
use ruff_text_size::TextRange;

use super::loops::is_always_true;
use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};
use tapps_syntax::python::imported::ImportedNames;
use tapps_syntax::python::model_packages::{MODEL_CLIENTS, is_agent_framework, is_of_one};
use tapps_syntax::python::names::last_name;
use tapps_syntax::python::retrieval::{is_model_request, is_named_by};
use tapps_syntax::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "endless-agent-loop",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "A loop without end asks an agent or a model, and nothing bounds how often.",
    help: "Count the turns and stop at a limit, or leave the loop when the work is done.",
    explanation: "A model that never says the awaited word, a tool that fails each time, two agents that hand the same task to \
        each other: without a bound the loop asks on, and each turn costs money and a longer context. Run `for turn in \
        range(limit)`, or leave the loop by `break`, `return` or `raise`, and end with a partial result when the limit is \
        reached. Loops that wait for something in each turn, such as input, a queue, a socket or a clock, are left out, and \
        so are files that import nothing about models.",
    examples: &[Example {
        path: "example.py",
        bad: "from openai import OpenAI

client = OpenAI()


def work(task):
    history = [{\"role\": \"user\", \"content\": task}]
    while True:
        answer = client.chat.completions.create(model=\"small\", messages=history)
        history.append(answer.choices[0].message)
",
        good: "from openai import OpenAI

client = OpenAI()


def work(task, turns=20):
    history = [{\"role\": \"user\", \"content\": task}]
    for _ in range(turns):
        answer = client.chat.completions.create(model=\"small\", messages=history)
        history.append(answer.choices[0].message)
        if answer.choices[0].finish_reason == \"stop\":
            break
    return history
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_endless_agent_loop;

/// Reports each loop at its first line.
fn check_endless_agent_loop(view: &View, found: &mut Vec<Finding>) {
    if !view.lines.text().contains("while") {
        return;
    }
    let imports = ImportedNames::of_module(view.body);
    if !imports.all().iter().any(|(name, _)| is_agent_framework(name) || is_of_one(name, &MODEL_CLIENTS)) {
        return;
    }
    EndlessLoopFinder { view, found }.visit_body(view.body);
}

struct EndlessLoopFinder<'a, 'v> {
    view: &'v View<'a>,
    found: &'v mut Vec<Finding>,
}

impl<'a> SourceOrderVisitor<'a> for EndlessLoopFinder<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            // A clock ends what stands in it.
            Stmt::With(node) if node.items.iter().any(|item| is_clock(&item.context_expr)) => return,
            Stmt::While(node) if is_always_true(&node.test) => {
                if let Some(asked) = asked_without_end(node) {
                    let name = last_name(&asked.func).unwrap_or_default();
                    let message = format!("`{name}` is asked in a loop that nothing ends");
                    self.found.push(self.view.finding(&RULE, TextRange::empty(node.range.start()), message));
                }
            }
            _ => {}
        }
        source_order::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

fn is_clock(expr: &Expr) -> bool {
    let words = last_name(expr).map(split_identifier_words).unwrap_or_default();
    words.iter().any(|word| matches!(word.as_str(), "timeout" | "deadline" | "after" | "limit" | "limits"))
}

/// What a loop asks of a model, when nothing in it bounds how often.
fn asked_without_end(node: &StmtWhile) -> Option<&ExprCall> {
    let mut read = LoopReader { asked: None, bounded: false, inner: 0 };
    read.visit_body(&node.body);
    read.asked.filter(|_| !read.bounded)
}

struct LoopReader<'a> {
    asked: Option<&'a ExprCall>,
    /// The loop ends, waits, or watches a limit.
    bounded: bool,
    /// Loops between the read one and the current place.
    inner: u32,
}

impl<'a> SourceOrderVisitor<'a> for LoopReader<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Break(_) => self.bounded |= self.inner == 0,
            Stmt::Return(_) | Stmt::Raise(_) | Stmt::Assert(_) => self.bounded = true,
            Stmt::For(node) => {
                self.bounded |= node.is_async;
                self.visit_expr(&node.iter);
                self.visit_inner_loop(&node.body);
                self.visit_body(&node.orelse);
                return;
            }
            Stmt::While(node) => {
                self.visit_expr(&node.test);
                self.visit_inner_loop(&node.body);
                self.visit_body(&node.orelse);
                return;
            }
            _ => {}
        }
        source_order::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Yield(_) | Expr::YieldFrom(_) => self.bounded = true,
            Expr::Lambda(_) => return,
            Expr::Call(call) => {
                self.bounded |= is_bound(call);
                if self.asked.is_none() && is_agent_request(call) {
                    self.asked = Some(call);
                }
            }
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }
}

impl<'a> LoopReader<'a> {
    fn visit_inner_loop(&mut self, body: &'a [Stmt]) {
        self.inner += 1;
        self.visit_body(body);
        self.inner -= 1;
    }
}

/// True for a call that ends the program, waits for something outside of it, or watches a limit.
fn is_bound(call: &ExprCall) -> bool {
    const ENDING_OR_WAITING: [&str; 44] = [
        "abort",
        "accept",
        "acquire",
        "anext",
        "ask",
        "blpop",
        "cancel",
        "consume",
        "exit",
        "fetch",
        "get",
        "get_message",
        "get_nowait",
        "input",
        "interrupt",
        "join",
        "kill",
        "listen",
        "next",
        "poll",
        "pop",
        "popleft",
        "prompt",
        "quit",
        "read",
        "readline",
        "receive",
        "receive_bytes",
        "receive_json",
        "receive_message",
        "receive_text",
        "record",
        "recv",
        "select",
        "send",
        "send_text",
        "sleep",
        "stop",
        "terminate",
        "wait",
        "wait_for",
        "_exit",
        "get_input",
        "user_input",
    ];
    let Some(name) = last_name(&call.func) else { return false };
    let watches = |word: &String| {
        matches!(
            word.as_str(),
            "limit" | "limits" | "budget" | "timeout" | "deadline" | "input" | "prompt" | "wait" | "listen"
        )
    };
    ENDING_OR_WAITING.contains(&name) || split_identifier_words(name).iter().any(watches)
}

/// True for a call that has an agent, a crew of them or a model work.
fn is_agent_request(call: &ExprCall) -> bool {
    const AGENTS: [&str; 9] =
        ["agent", "agents", "assistant", "crew", "orchestrator", "supervisor", "swarm", "team", "workflow"];
    const ASKING: [&str; 16] = [
        "run",
        "run_sync",
        "arun",
        "invoke",
        "ainvoke",
        "chat",
        "achat",
        "kickoff",
        "generate",
        "complete",
        "predict",
        "reply",
        "respond",
        "initiate_chat",
        "generate_reply",
        "run_stream",
    ];
    if is_model_request(call) {
        return true;
    }
    let Expr::Attribute(method) = call.func.as_ref() else { return false };
    let runner = matches!(method.value.as_ref(), Expr::Name(name) if name.id.as_str() == "Runner");
    ASKING.contains(&method.attr.as_str()) && (runner || is_named_by(&method.value, &AGENTS))
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::lines_of;
    use super::*;

    #[rstest::rstest]
    #[case("while True:\n    agent.run(task)\n", &[2])]
    #[case("while 1:\n    try:\n        a = await self.llm.ainvoke(m)\n    except ValueError:\n        pass\n", &[2])]
    #[case("while True:\n    for m in ms:\n        c.chat.completions.create(messages=m)\n        break\n", &[2])]
    #[case("while True:\n    r = Runner.run_sync(a, t)\n    def f(): return r\n", &[2])]
    // It ends, or something may end it.
    #[case("while True:\n    a = agent.run(task)\n    if a: break\n", &[])]
    #[case("def f():\n    while True:\n        a = agent.run(task)\n        if a: return a\n", &[])]
    #[case("while True:\n    a = agent.run(task)\n    check_budget(a)\n", &[])]
    #[case("while True:\n    for x in xs: pass\n    else: break\n    agent.run(task)\n", &[])]
    #[case("while not done:\n    agent.run(task)\n", &[])]
    #[case("with timeout(9):\n    while True:\n        agent.run(task)\n", &[])]
    // It waits for something in each turn.
    #[case("while True:\n    agent.run(input('> '))\n", &[])]
    #[case("while True:\n    agent.run(await queue.get())\n", &[])]
    #[case("while True:\n    agent.run(task)\n    time.sleep(60)\n", &[])]
    #[case("def f():\n    while True:\n        yield agent.run(task)\n", &[])]
    // Nobody is asked.
    #[case("while True:\n    user_agent = parse(x)\n    server.run(x)\n", &[])]
    fn cases(#[case] text: &str, #[case] expected: &[u32]) {
        assert_eq!(lines_of(check_endless_agent_loop, &format!("import openai\n{text}")), expected);
    }

    #[test]
    fn agents_that_have_nothing_to_do_with_models_are_left_alone() {
        assert_eq!(lines_of(check_endless_agent_loop, "import snmp\nwhile True:\n    agent.run(task)\n"), [0; 0]);
    }
}
