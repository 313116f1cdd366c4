//! The linked code of the project with what only this room asks of it.

use std::sync::{Arc, Mutex, PoisonError};

use super::users::Users;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_coderef::graph::Graph;
use tapps_coderef::memory::{CodeMemory, LinkedCode};
use tapps_coderef::model::CodebaseIndex;
use tapps_sandbox::Boundary;

/// An index with everything that many questions need of it.
#[derive(Debug)]
pub(super) struct CodeIndex {
    linked: Arc<LinkedCode>,
    pub(super) users: Users,
}

impl CodeIndex {
    pub(super) fn index(&self) -> &CodebaseIndex {
        &self.linked.index
    }

    pub(super) fn graph(&self) -> Graph<'_> {
        self.linked.graph()
    }
}

/// The code as it was at the last question, in the memory that code intelligence answers from.
#[derive(Debug, Default)]
pub(super) struct Latest {
    pub(super) memory: Arc<CodeMemory>,
    latest: Mutex<Option<Arc<CodeIndex>>>,
}

impl Latest {
    /// The code for the bytes on disk now.
    ///
    /// # Errors
    /// As [`tapps_coderef::engine::scan`].
    pub(super) fn current_code(&self, boundary: &Boundary, call: &Call) -> Result<Arc<CodeIndex>> {
        let (linked, users) = self.memory.at(boundary, call, Users::from_index)?;
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = latest.as_ref().filter(|code| Arc::ptr_eq(&code.linked, &linked)) {
            return Ok(Arc::clone(code));
        }
        let users = users.unwrap_or_else(|| Users::from_index(&linked.index));
        let code = Arc::new(CodeIndex { linked, users });
        *latest = Some(Arc::clone(&code));
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use tapps_coderef::codebase::Codebase;

    #[test]
    fn what_nobody_touched_is_read_once_for_this_room_and_for_code_intelligence() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
        write("a.py", "def a():\n    return 1\n");
        // The change time cannot be set back: only a tree that has been left alone for a while is settled.
        std::thread::sleep(Duration::from_millis(2_100));
        let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
        let (latest, call) = (Latest::default(), Call::quiet(Duration::from_secs(60)));
        let codebase = Codebase::new(Arc::clone(&boundary)).remembering(&latest.memory);
        let asked = codebase.code(&call).unwrap();
        let first = latest.current_code(&boundary, &call).unwrap();
        assert!(Arc::ptr_eq(&asked, &first.linked), "one graph for both");
        assert!(Arc::ptr_eq(&first, &latest.current_code(&boundary, &call).unwrap()), "kept while nothing changes");
        write("a.py", "def b():\n    return 1\n");
        let second = latest.current_code(&boundary, &call).unwrap();
        assert_ne!(first.index(), second.index());
        assert_eq!(second.index(), &codebase.code(&call).unwrap().index);
    }
}
