//! Programs of several agents: models that work on a task side by side or hand it to each other.

use std::collections::HashSet;

use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

use super::{Design, DesignSource, Signs};
use tapps_syntax::python::flow::every_scope_expr;
use tapps_syntax::python::imported::ImportedNames;
use tapps_syntax::python::model_packages::is_agent_framework;
use tapps_syntax::python::names::{dotted_name, last_name};
use tapps_syntax::python::retrieval::keyword;
use tapps_syntax::words::split_identifier_words;

pub(super) const DESIGN: Design = Design {
    name: "multi-agent",
    expert_domain: "ai-frameworks",
    words: &[
        &[
            "ag2",
            "agents",
            "agno",
            "autogen",
            "beeai",
            "crewai",
            "google.adk",
            "langgraph",
            "llama_index",
            "metagpt",
            "phi.agent",
            "pydantic_ai",
            "semantic_kernel",
            "smolagents",
            "strands",
            "swarm",
            "agent_framework",
        ],
        &["Agent", "_agent"],
        &[
            "hand_off",
            "delegat",
            "supervisor",
            "Supervisor",
            "GroupChat",
            "Crew(",
            "initiate_chat",
            "send_message",
            "Swarm",
            "swarm",
            "agents=",
            "transfer_to_",
            "Team(",
        ],
    ],
    look: look_for_agents,
};

const FRAMEWORK: &str = "framework";
const AGENTS: &str = "agents";
const HAND_OVER: &str = "hand-over";

fn look_for_agents(source: &DesignSource<'_>) -> Signs {
    let frameworks = source.imports.all().iter().filter(|(name, _)| is_agent_framework(name));
    let mut signs: Signs = frameworks.map(|(_, place)| (FRAMEWORK, *place)).collect();
    let defined = defined_agents(source);
    let mut several: Vec<TextRange> = defined.get(1).copied().into_iter().collect();
    for scope in source.scopes.iter().copied() {
        several.extend(made_agents(scope, &source.imports).get(1).map(|(_, place)| *place));
        for stmt in scope {
            if let Stmt::FunctionDef(def) = stmt
                && is_hand_over_name(&def.name)
            {
                signs.push((HAND_OVER, def.name.range()));
            }
        }
        every_scope_expr(scope, &mut |expr| {
            if let Expr::Call(call) = expr
                && hands_over(call)
            {
                signs.push((HAND_OVER, call.range()));
            }
        });
    }
    // One agent is a program; it takes another to make a design of it.
    signs.extend(several.into_iter().map(|place| (AGENTS, place)));
    signs
}

/// True for the name of a class of agents; what a browser or a real-estate office calls so is something else.
fn is_agent_class(name: &str) -> bool {
    name.ends_with("Agent") && !name.ends_with("UserAgent") && name.starts_with(char::is_uppercase)
}

/// Classes of agents that are no bases of others, and methods that are marked as making one.
fn defined_agents(source: &DesignSource<'_>) -> Vec<TextRange> {
    let mut classes: Vec<(&str, TextRange)> = Vec::new();
    let mut bases: HashSet<&str> = HashSet::new();
    let mut methods = Vec::new();
    for stmt in source.scopes.iter().copied().flatten() {
        match stmt {
            Stmt::ClassDef(class) => {
                bases.extend(class.bases().iter().filter_map(last_name));
                let is_base = class.name.starts_with("Base") || class.name.starts_with("Abstract");
                if is_agent_class(&class.name) && !is_base {
                    classes.push((&class.name, class.name.range()));
                }
            }
            Stmt::FunctionDef(def) => {
                let marked = def.decorator_list.iter().any(|one| last_name(&one.expression) == Some("agent"));
                if marked && !made_agents(&def.body, &source.imports).is_empty() {
                    methods.push(def.name.range());
                }
            }
            _ => {}
        }
    }
    let classes = classes.into_iter().filter(|(name, _)| !bases.contains(name)).map(|(_, place)| place);
    let mut all: Vec<TextRange> = classes.collect();
    // Classes and marked methods are two ways of their own.
    if all.len() < 2 {
        all = methods;
    }
    all.sort_by_key(|place| place.start());
    all
}

/// An agent that is made: what it is bound to, and where.
type MadeAgent = (Option<String>, TextRange);

/// The agents that one run through statements makes: of branches that exclude each other the one that makes most.
fn made_agents(body: &[Stmt], imports: &ImportedNames<'_>) -> Vec<MadeAgent> {
    let mut made: Vec<MadeAgent> = Vec::new();
    let mut best: Vec<MadeAgent> = Vec::new();
    for stmt in body {
        let inner = match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => continue,
            Stmt::If(node) => {
                let clauses = node.elif_else_clauses.iter().map(|clause| clause.body.as_slice());
                let branches = std::iter::once(&*node.body).chain(clauses);
                let mut most = Vec::new();
                for branch in branches {
                    let found = made_agents(branch, imports);
                    let leaves = matches!(branch.last(), Some(Stmt::Return(_) | Stmt::Raise(_) | Stmt::Continue(_)));
                    let whole = made.len() + found.len();
                    if leaves && whole > best.len() {
                        best = made.iter().cloned().chain(found).collect();
                    } else if !leaves && found.len() > most.len() {
                        most = found;
                    }
                }
                most
            }
            Stmt::For(node) => made_agents(&node.body, imports),
            Stmt::While(node) => made_agents(&node.body, imports),
            Stmt::With(node) => made_agents(&node.body, imports),
            Stmt::Try(node) => made_agents(&node.body, imports),
            _ => made_by_statement(stmt, imports),
        };
        let is_new =
            |one: &MadeAgent, made: &[MadeAgent]| one.0.is_none() || !made.iter().any(|known| known.0 == one.0);
        for one in inner {
            if is_new(&one, &made) {
                made.push(one);
            }
        }
    }
    if best.len() > made.len() { best } else { made }
}

/// The agents that a plain statement makes.
fn made_by_statement(stmt: &Stmt, imports: &ImportedNames<'_>) -> Vec<MadeAgent> {
    let bound = match stmt {
        Stmt::Assign(node) => match node.targets.as_slice() {
            [target] if makes_agent(&node.value, imports) => dotted_name(target),
            _ => None,
        },
        _ => None,
    };
    let mut found = Vec::new();
    every_scope_expr(std::slice::from_ref(stmt), &mut |expr| {
        if makes_agent(expr, imports) {
            found.push((bound.clone(), expr.range()));
        }
    });
    found
}

fn makes_agent(expr: &Expr, imports: &ImportedNames<'_>) -> bool {
    let Expr::Call(call) = expr else { return false };
    let named = match call.func.as_ref() {
        // `Agent[Deps, Output](…)`.
        Expr::Subscript(node) => node.value.as_ref(),
        func => func,
    };
    if named.is_call_expr() {
        return false;
    }
    let Some(name) = last_name(named) else { return false };
    if is_agent_class(name) {
        return true;
    }
    let from_framework =
        || imports.resolve(named).is_some_and(|full| full.starts_with("lang") || is_agent_framework(&full));
    name.starts_with("create_") && name.ends_with("_agent") && from_framework()
        || matches!(name, "create_agent" | "initialize_agent") && from_framework()
}

/// `transfer_to_billing`, `delegate_to_writer`: what one agent calls to give its task to another.
fn is_hand_over_name(name: &str) -> bool {
    ["transfer_to_", "handoff_to_", "hand_off_to_", "delegate_to_", "route_to_agent"]
        .iter()
        .any(|start| name.strip_prefix(start).is_some_and(|rest| start.ends_with("agent") || !rest.is_empty()))
}

fn hands_over(call: &ExprCall) -> bool {
    const WHOLE: [&str; 14] = [
        "create_handoff_tool",
        "create_supervisor",
        "create_swarm",
        "GraphFlow",
        "GroupChat",
        "GroupChatManager",
        "initiate_chat",
        "a_initiate_chat",
        "initiate_chats",
        "MagenticOneGroupChat",
        "RoundRobinGroupChat",
        "SelectorGroupChat",
        "transfer_to_agent",
        "create_forward_message_tool",
    ];
    const AGENT_LISTS: [&str; 4] = ["handoffs", "managed_agents", "sub_agents", "subagents"];
    let Some(name) = last_name(&call.func) else { return false };
    if WHOLE.contains(&name) || is_hand_over_name(name) || name == "handoff" && call.func.is_name_expr() {
        return true;
    }
    let given = |argument: &str| keyword(call, argument).filter(|value| !value.is_none_literal_expr());
    if AGENT_LISTS.iter().any(|argument| given(argument).is_some()) {
        return true;
    }
    if given("allow_delegation").is_some_and(is_true) {
        return true;
    }
    match name {
        "Crew" | "Swarm" | "AgentWorkflow" | "AgentTeam" => {
            given("agents").or_else(|| call.arguments.args.first()).is_some_and(is_of_several)
        }
        "delegate" | "delegate_task" | "delegate_work" | "send_message" | "send" => names_agent(call),
        _ => false,
    }
}

/// False for a list that is written out and has one agent at most, and for `self.agents`, which holds what the marked methods
/// make: those are counted by themselves.
fn is_of_several(value: &Expr) -> bool {
    match value {
        Expr::List(node) => node.elts.len() > 1 || node.elts.iter().any(Expr::is_starred_expr),
        Expr::Attribute(node) => !(node.attr.as_str() == "agents" && last_name(&node.value) == Some("self")),
        _ => true,
    }
}

fn is_true(value: &Expr) -> bool {
    value.as_boolean_literal_expr().is_some_and(|literal| literal.value)
}

/// True for a call in which an agent is named to whom something goes.
fn names_agent(call: &ExprCall) -> bool {
    let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
    call.arguments.args.iter().chain(keywords).any(|value| {
        let words = last_name(value).filter(|_| !value.is_call_expr()).map(split_identifier_words).unwrap_or_default();
        words.last().is_some_and(|word| word == "agent")
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::kinds;

    #[rstest::rstest]
    #[case(
        "from crewai import Agent, Crew\na = Agent(role='a')\nb = Agent(role='b')\ncrew = Crew(agents=[a, b])\n",
        &["framework:1", "agents:3", "hand-over:4"]
    )]
    #[case(
        "from agents import Agent, Runner\nbilling = Agent(name='b')\ntriage = Agent(name='t', handoffs=[billing])\n",
        &["framework:1", "agents:3", "hand-over:3"]
    )]
    #[case(
        "class WriterAgent:\n    pass\nclass EditorAgent:\n    def go(self):\n        self.bus.send_message(text, to=self.writer_agent)\n",
        &["agents:3", "hand-over:5"]
    )]
    #[case("from autogen import AssistantAgent\nuser.initiate_chat(AssistantAgent('a'), message='x')\n", &["framework:1", "hand-over:2"])]
    #[case(
        "from crewai import Agent\nclass C:\n    @agent\n    def one(self):\n        return Agent(role='a')\n    @agent\n    def two(self):\n        return Agent(role='b')\n",
        &["framework:1", "agents:7"]
    )]
    #[case("from google.adk.agents import LlmAgent\nroot = LlmAgent(name='r', sub_agents=[a, b])\n", &["framework:1", "hand-over:2"])]
    fn several_agents_are_seen(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(kinds("multi-agent", text), expected);
    }

    #[rstest::rstest]
    #[case("from pydantic_ai import Agent\nagent = Agent('m')\nresult = agent.run_sync('x')\n")]
    #[case("from agents.billing import Billing\nclass SalesAgent(Model): ...\n")]
    #[case("class EstateAgent(Model): ...\nclass TravelAgent(Model): ...\n# supervisor\n")]
    // One or the other, and a crew of one.
    #[case(
        "from smolagents import CodeAgent, ToolCallingAgent\nif code:\n    agent = CodeAgent(t)\nelse:\n    agent = ToolCallingAgent(t)\n# agents=\n"
    )]
    #[case("from crewai import Agent\ndef f(x):\n    if x:\n        return Agent(x)\n    return Agent(1)\n")]
    #[case("from crewai import Agent, Crew\ncrew = Crew(agents=[Agent(role='a')])\n")]
    #[case(
        "from crewai import Agent, Crew\nclass C:\n    @agent\n    def one(self):\n        return Agent(role='a')\n    def crew(self):\n        return Crew(agents=self.agents)\n"
    )]
    #[case("UserAgent('a')\nUserAgent('b')\nsend(message, agent_name)\ndelegate(x)\n# agents=\n")]
    #[case("from crewai import Agent, Crew\na = Agent(role='a', allow_delegation=False, handoffs=None)\n")]
    fn other_code_is_not(#[case] text: &str) {
        assert_eq!(kinds("multi-agent", text), [""; 0]);
    }
}
