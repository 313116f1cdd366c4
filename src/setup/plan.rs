//! From what is asked for to the bytes that would be written. Nothing is written here, so that one broken file stops all.

use std::collections::BTreeMap;

use super::client::{McpClient, McpClientInfo, SetupScope};
use super::document::{self, WantedServerEntry, name_taken_error, section};
use super::git_hooks::{GitHookTask, plan_git_hooks};
use super::hooks::{HookMode, ensure_none_overruled, hook_mode_of, set_hooks};
use super::launch::{Launch, own_arguments};
use super::section_text::SECTION;
use super::skills::{SKILLS, is_own_skill};
use super::surroundings::Surroundings;
use super::target::SetupFileLocation;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

/// The file that agents read.
const AGENTS_FILE: &str = "AGENTS.md";

/// What is asked for.
#[derive(Debug, Clone)]
pub struct SetupRequest {
    /// Empty means those that are in use.
    pub clients: Vec<McpClient>,
    pub scope: SetupScope,
    /// The name of a new entry.
    pub name: String,
    pub launch: Launch,
    /// The section of `AGENTS.md` as well.
    pub agents_file: bool,
    /// The hooks of agents as well; none leaves them as they are.
    pub hooks: Option<HookMode>,
    /// Skills for the agents that read some.
    pub skills: bool,
    /// Only what this program has written before is renewed, whatever else is asked for.
    pub upgrade: bool,
}

/// What would become of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupFileChange {
    pub target: SetupFileLocation,
    /// None for a file that is new.
    pub before: Option<Vec<u8>>,
    pub after: String,
    /// A file that is new is made a program.
    pub executable: bool,
}

impl SetupFileChange {
    /// True when there is something to do.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.before.as_deref() != self.bytes_after()
    }

    /// The bytes that the file would have; none when it would be gone, since nothing is left of it.
    #[must_use]
    pub fn bytes_after(&self) -> Option<&[u8]> {
        let is_left_empty = self.after.is_empty() && self.before.as_ref().is_none_or(|before| !before.is_empty());
        (!is_left_empty).then_some(self.after.as_bytes())
    }

    /// True for a document in which nothing stands.
    fn is_hollow(&self) -> bool {
        matches!(self.after.trim(), "" | "{}")
    }
}

/// What would be done.
#[derive(Debug, Clone, Default)]
pub struct SetupPlan {
    pub clients: Vec<McpClient>,
    /// Each file once, also those that are as wanted already.
    pub changes: Vec<SetupFileChange>,
    /// What somebody who reads the outcome should know.
    pub notes: Vec<String>,
}

/// Works out what has to be written.
///
/// # Errors
/// `config_error` for a file that cannot be understood, with line and column, or a place that is not known;
/// `conflict` when an entry of that name belongs to something else; `invalid_argument` when no client is in use or one
/// has no file in this scope.
pub fn plan_setup(request: &SetupRequest, boundary: &Boundary, surroundings: &Surroundings) -> Result<SetupPlan> {
    let named = !request.clients.is_empty();
    let mut clients = request.clients.clone();
    if !named {
        clients = McpClient::in_use(boundary, surroundings);
    }
    clients.sort_unstable();
    clients.dedup();
    if clients.is_empty() {
        let names = McpClient::ALL.map(McpClient::as_str).join(", ");
        return Err(Error::invalid(
            "no client is in use here: neither the project nor the home folder has files of one",
        )
        .hint(format!("name one with --client; known: {names}")));
    }
    let mut work = SetupFileEdits { boundary, files: BTreeMap::new() };
    let mut plan = SetupPlan::default();
    let mut by_git = false;
    let wants_approval =
        request.scope == SetupScope::Project && !request.upgrade && request.hooks != Some(HookMode::Off);
    for client in clients {
        let about = client.client_info();
        let upgrade = request.upgrade;
        if request.scope == SetupScope::Project && about.project_file.is_none() {
            let what = format!("{} reads no list of servers in a project", about.title);
            let has_more = upgrade || has_other_files(client, request, named);
            if named && !has_more {
                return Err(Error::invalid(what).hint(format!("add --scope user for {client}")));
            }
            if !upgrade {
                plan.notes.push(format!("{what}: `tapps-mcp init --client {client} --scope user` sets it up for you"));
            }
            if !has_more {
                continue;
            }
        } else {
            let target = server_file(about, request.scope, surroundings)?;
            work.edit(target, |text, file| {
                if upgrade && !has_own_entry(text, file, about)? {
                    return Ok(text.to_owned());
                }
                let wanted = WantedServerEntry {
                    servers: about.servers,
                    name: &request.name,
                    launch: &request.launch,
                    shape: about.shape,
                    besides: about.besides,
                };
                document::set_server(about.syntax, text, file, &wanted)
            })?;
        }
        if let (true, Some(agent)) = (upgrade, about.hooks) {
            let file = SetupFileLocation::Project(agent.settings_file().to_owned());
            work.edit(file, |text, file| match hook_mode_of(text, agent) {
                Some(mode) => set_hooks(text, file, agent, &request.launch, mode),
                None => Ok(text.to_owned()),
            })?;
        }
        for skill in SKILLS.iter().filter(|_| request.scope == SetupScope::Project && (request.skills || upgrade)) {
            let wanted = request.skills && !upgrade;
            for (path, now) in skill.project_files(client) {
                work.edit(SetupFileLocation::Project(path), |text, file| match text {
                    "" if wanted => Ok(now),
                    "" => Ok(String::new()),
                    text if is_own_skill(text) => Ok(now),
                    _ if wanted => Err(name_taken_error(file, skill.name)),
                    text => Ok(text.to_owned()),
                })?;
            }
        }
        if let Some(mode) = request.hooks.filter(|_| !upgrade) {
            if let Some(agent) = about.hooks {
                if let Some(other) = agent.overruled_file().filter(|_| mode != HookMode::Off) {
                    let other = SetupFileLocation::Project(other.to_owned());
                    let (file, text) = (other.to_string(), other.read(boundary)?.unwrap_or_default());
                    ensure_none_overruled(document::decode_document_text(&file, &text)?, &file, agent)?;
                }
                let file = SetupFileLocation::Project(agent.settings_file().to_owned());
                work.edit(file, |text, file| set_hooks(text, file, agent, &request.launch, mode))?;
            }
            let sent_on = about.hooks.is_some_and(|agent| !agent.turn_entries("", false).is_empty());
            by_git |= !sent_on && mode != HookMode::Off;
            if !sent_on && mode != HookMode::Off {
                plan.notes.push(format!("{} cannot be sent on by a hook: git's hooks judge its changes", about.title));
            }
        }
        plan.clients.push(client);
    }
    if request.agents_file && request.scope == SetupScope::Project {
        work.edit(SetupFileLocation::Project(AGENTS_FILE.to_owned()), |text, file| {
            if request.upgrade && !section::has_marked_section(text) {
                return Ok(text.to_owned());
            }
            section::set_marked_section(text, file, SECTION)
        })?;
    }
    plan.changes = work.files.into_values().filter(|change| change.before.is_some() || !change.is_hollow()).collect();
    if wants_approval && plan.changes.iter().any(SetupFileChange::is_needed) {
        let about = plan.clients.iter().map(|client| client.client_info());
        let told = about.filter_map(|about| Some(format!("{}: {}", about.title, about.approval?)));
        plan.notes.extend(told);
    }
    if by_git || request.hooks == Some(HookMode::Off) || request.upgrade {
        let task = if request.upgrade {
            GitHookTask::Renew
        } else if by_git {
            GitHookTask::Write
        } else {
            GitHookTask::Remove
        };
        let (hooks, notes) = plan_git_hooks(boundary, &request.launch, task);
        plan.notes.extend(notes);
        plan.changes.extend(hooks.into_iter().map(|hook| SetupFileChange {
            target: SetupFileLocation::Project(hook.path),
            executable: hook.before.is_none(),
            before: hook.before.map(String::into_bytes),
            after: hook.after,
        }));
    }
    Ok(plan)
}

/// Where the servers of a client are listed.
///
/// # Errors
/// `config_error` when the environment does not say where the user's files are; `invalid_argument` for a client without a
/// file in the project.
pub fn server_file(about: &McpClientInfo, scope: SetupScope, surroundings: &Surroundings) -> Result<SetupFileLocation> {
    match scope {
        SetupScope::Project => about
            .project_file
            .map(|path| SetupFileLocation::Project(path.to_owned()))
            .ok_or_else(|| Error::invalid(format!("{} reads no list of servers in a project", about.title))),
        SetupScope::User => {
            let (base, below) = about.user_file;
            surroundings.folder(base).map(|folder| SetupFileLocation::User(folder.join(below))).ok_or_else(|| {
                Error::new(ErrorCode::ConfigError, "there are no files of the user: HOME is not set")
                    .hint("set HOME, or use --scope project")
            })
        }
    }
}

/// Whether a project gets files for a client besides a list of servers.
fn has_other_files(client: McpClient, request: &SetupRequest, named: bool) -> bool {
    let skills = request.skills && SKILLS.iter().any(|skill| !skill.project_files(client).is_empty());
    // Git's hooks stand for those of a client without any, where that is what was asked for.
    skills || request.hooks.is_some() && (named || client.client_info().hooks.is_some())
}

/// Whether a list of servers has an entry that starts this program.
fn has_own_entry(text: &str, file: &str, about: &McpClientInfo) -> Result<bool> {
    let entries = document::list_servers(about.syntax, text, file, about.servers)?;
    let ours = |command: &str, arguments: &[String]| own_arguments(command, arguments, false).is_some();
    Ok(entries.iter().any(|entry| entry.command.as_deref().is_some_and(|command| ours(command, &entry.arguments))))
}

/// The files as they would be, each read once and edited as often as needed.
struct SetupFileEdits<'a> {
    boundary: &'a Boundary,
    files: BTreeMap<SetupFileLocation, SetupFileChange>,
}

impl SetupFileEdits<'_> {
    fn edit(&mut self, target: SetupFileLocation, edit: impl FnOnce(&str, &str) -> Result<String>) -> Result<()> {
        let file = target.to_string();
        let change = match self.files.remove(&target) {
            Some(mut change) => {
                change.after = edit(&change.after, &file)?;
                change
            }
            None => {
                let before = target.read(self.boundary)?;
                let after = edit(document::decode_document_text(&file, before.as_deref().unwrap_or_default())?, &file)?;
                SetupFileChange { target: target.clone(), before, after, executable: false }
            }
        };
        self.files.insert(target, change);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::surroundings::System;
    use super::*;

    struct Place {
        project: tempfile::TempDir,
        home: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Self {
            Self { project: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() }
        }

        fn plan(&self, clients: &[McpClient], scope: SetupScope, hooks: Option<HookMode>) -> Result<SetupPlan> {
            let home = self.home.path().as_os_str().to_owned();
            let surroundings = Surroundings::from_lookup(System::Linux, |name| (name == "HOME").then(|| home.clone()));
            let request = SetupRequest {
                clients: clients.to_vec(),
                scope,
                name: "tapps".into(),
                launch: Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap(),
                agents_file: true,
                hooks,
                skills: false,
                upgrade: false,
            };
            plan_setup(&request, &Boundary::open(self.project.path()).unwrap(), &surroundings)
        }
    }

    fn files(plan: &SetupPlan) -> Vec<String> {
        plan.changes.iter().map(|change| change.target.to_string()).collect()
    }

    #[test]
    fn a_file_that_two_edits_concern_is_changed_once() {
        let plan = Place::new().plan(&[McpClient::Gemini], SetupScope::Project, Some(HookMode::Enforce)).unwrap();
        assert_eq!(files(&plan), [".gemini/settings.json", "AGENTS.md"]);
        let settings = &plan.changes[0].after;
        assert!(
            settings.contains("mcpServers") && settings.contains("AfterTool") && settings.contains("AfterAgent"),
            "{settings}"
        );
    }

    #[test]
    fn the_user_scope_touches_no_file_of_the_project() {
        let place = Place::new();
        let plan = place.plan(&McpClient::ALL, SetupScope::User, None).unwrap();
        assert_eq!(plan.changes.len(), McpClient::ALL.len());
        assert!(plan.changes.iter().all(
            |change| matches!(&change.target, SetupFileLocation::User(path) if path.starts_with(place.home.path()))
        ));
    }

    #[test]
    fn a_client_without_a_file_in_the_project_is_refused_or_told_about() {
        let place = Place::new();
        let error = place.plan(&[McpClient::Windsurf], SetupScope::Project, None).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument);
        std::fs::create_dir(place.project.path().join(".windsurf")).unwrap();
        std::fs::create_dir(place.project.path().join(".zed")).unwrap();
        let hooked = place.plan(&[McpClient::Windsurf], SetupScope::Project, Some(HookMode::Advise)).unwrap();
        assert_eq!(files(&hooked), [".windsurf/hooks.json", "AGENTS.md"]);
        let plan = place.plan(&[], SetupScope::Project, None).unwrap();
        assert_eq!(plan.clients, [McpClient::Zed]);
        assert!(plan.notes[0].contains("--client windsurf --scope user"), "{:?}", plan.notes);
    }

    #[test]
    fn nobody_home_says_what_to_do() {
        let error = Place::new().plan(&[], SetupScope::Project, None).unwrap_err();
        assert!(error.body().hint.as_deref().unwrap().contains("claude-code, claude-desktop"), "{error:?}");
    }
}
