//! The three phases of a cycle and the ways between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

tapps_base::wire_enum! {
    /// What the agent is at.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum Phase {
        /// Write one failing test.
        WriteTest = "write_test",
        /// Write the least code that makes it pass.
        Implement = "implement",
        /// Improve code and tests without changing behaviour.
        Refactor = "refactor",
    }
}

impl Phase {
    /// The phase that follows.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::WriteTest => Self::Implement,
            Self::Implement => Self::Refactor,
            Self::Refactor => Self::WriteTest,
        }
    }

    /// True for the ways forward: the cycle itself, and from `implement` straight to the next test.
    #[must_use]
    pub const fn leads_to(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::WriteTest, Self::Implement)
                | (Self::Implement, Self::Refactor | Self::WriteTest)
                | (Self::Refactor, Self::WriteTest)
        )
    }
}

/// Where a session stands: a phase of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CyclePhase {
    pub phase: Phase,
    /// Counted from 1.
    pub cycle: u32,
}

impl CyclePhase {
    /// Where every session begins.
    pub const FIRST: Self = Self { phase: Phase::WriteTest, cycle: 1 };

    /// The place reached by going forward to `phase`: a new test begins a new cycle.
    #[must_use]
    pub const fn advance_to(self, phase: Phase) -> Self {
        let cycle = if matches!(phase, Phase::WriteTest) { self.cycle.saturating_add(1) } else { self.cycle };
        Self { phase, cycle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_steps_forward_are_one_cycle() {
        let mut place = CyclePhase::FIRST;
        for _ in 0..3 {
            assert!(place.phase.leads_to(place.phase.next()));
            place = place.advance_to(place.phase.next());
        }
        assert_eq!(place, CyclePhase { phase: Phase::WriteTest, cycle: 2 });
    }

    #[test]
    fn only_refactoring_can_be_skipped() {
        let all = [Phase::WriteTest, Phase::Implement, Phase::Refactor];
        let ways: Vec<String> = all
            .iter()
            .flat_map(|from| all.iter().map(move |to| (from, to)))
            .filter(|(from, to)| from.leads_to(**to))
            .map(|(from, to)| format!("{from} {to}"))
            .collect();
        assert_eq!(ways, ["write_test implement", "implement write_test", "implement refactor", "refactor write_test"]);
    }
}
