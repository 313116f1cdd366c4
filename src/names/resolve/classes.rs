//! Members of classes, through their bases.

use std::collections::BTreeSet;

use super::{ClassOf, HOPS, Resolver, Step, Target, join};
use crate::libraries::FoundModule;
use crate::standard::StandardBase;
use crate::surface::BoundName;

/// A base of a class.
pub(super) enum BaseClass {
    Classes(Vec<ClassOf>),
    Standard(StandardBase),
    Unknown,
}

pub(super) enum ClassStep {
    Found(Target),
    Missing,
    Unknown,
}

impl ClassStep {
    pub(super) fn into_found(self) -> Option<Target> {
        match self {
            Self::Found(target) => Some(target),
            Self::Missing | Self::Unknown => None,
        }
    }
}

impl Resolver<'_> {
    /// A member of some classes, or of their instances, as `through` says.
    pub(super) fn member_of_classes(&self, through: &Target, classes: &[ClassOf], name: &str) -> Step {
        let mut unknown = is_special(name) || name == "mro";
        let mut found = Vec::new();
        for class in classes {
            match self.member_of_class(class, name, HOPS) {
                ClassStep::Found(target) => found.push(target),
                ClassStep::Missing => {}
                ClassStep::Unknown => unknown = true,
            }
        }
        if found.is_empty() {
            return if unknown { Step::Unknown } else { Step::Missing };
        }
        // A metaclass or a base that is not known may call its methods in its own way.
        let known = classes.iter().all(|class| self.has_known_bases(class, HOPS));
        Step::Found(match join(found) {
            Target::Function(_) if !known => Target::Something,
            Target::Function(functions) => self.bind(functions, through),
            other => other,
        })
    }

    pub(super) fn member_of_class(&self, class: &ClassOf, name: &str, hops: usize) -> ClassStep {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return ClassStep::Unknown };
        if let Some(bound) = class.surface.members.get(name) {
            let targets = bound.iter().map(|one| match one {
                // Names in the body of a class are looked up from there, which nobody needs.
                BoundName::Alias(_) | BoundName::Import { .. } => Target::Something,
                one => self.target_of_one(&class.module, one, left),
            });
            return ClassStep::Found(join(targets.collect()));
        }
        let mut unknown = class.surface.open.is_some();
        for base in self.bases(class, left) {
            match base {
                BaseClass::Classes(classes) => {
                    for class in &classes {
                        if class.surface.members.contains_key("__init_subclass__") {
                            unknown = true;
                        }
                        match self.member_of_class(class, name, left) {
                            ClassStep::Missing => {}
                            ClassStep::Unknown => unknown = true,
                            found @ ClassStep::Found(_) => return found,
                        }
                    }
                }
                BaseClass::Standard(base) => match base.hands_down(name) {
                    Some(true) => return ClassStep::Found(Target::Something),
                    Some(false) => {}
                    None => unknown = true,
                },
                BaseClass::Unknown => unknown = true,
            }
        }
        if unknown { ClassStep::Unknown } else { ClassStep::Missing }
    }

    /// The bases of a class, in order.
    pub(super) fn bases(&self, class: &ClassOf, hops: usize) -> Vec<BaseClass> {
        let base = |written: &Option<String>| {
            let Some(written) = written else { return BaseClass::Unknown };
            match self.dotted(&class.module, written, hops) {
                Some(Target::Class(classes)) => BaseClass::Classes(classes),
                _ => self.standard_base(&class.module, written, hops).map_or(BaseClass::Unknown, BaseClass::Standard),
            }
        };
        class.surface.bases.iter().map(base).collect()
    }

    /// The class of Python itself that a module means by a name.
    fn standard_base(&self, module: &str, written: &str, hops: usize) -> Option<StandardBase> {
        StandardBase::of_name(&self.standard_name(module, written, hops)?)
    }

    /// The absolute name of what is no library's that a module means by a name: by the import that binds its first part, here
    /// or in the module that it is imported from, or built in.
    pub(super) fn standard_name(&self, module: &str, written: &str, hops: usize) -> Option<String> {
        let left = hops.checked_sub(1).filter(|_| self.step())?;
        let surface = match self.module(module) {
            FoundModule::Surface(surface) => surface,
            FoundModule::Missing => return Some(format!("{module}.{written}")),
            FoundModule::Namespace => return None,
        };
        let (first, rest) = written.split_once('.').map_or((written, None), |(first, rest)| (first, Some(rest)));
        let Some(bound) = surface.names.get(first) else {
            return surface.stars.is_empty().then(|| written.to_owned());
        };
        let mut meant = bound.iter().map(|one| match (one, rest) {
            (BoundName::Import { module, name: Some(name) }, None) => self.standard_name(module, name, left),
            (BoundName::Import { module, name: Some(name) }, Some(rest)) => {
                self.standard_name(module, &format!("{name}.{rest}"), left)
            }
            (BoundName::Import { module, name: None }, Some(rest)) => self.standard_name(module, rest, left),
            _ => None,
        });
        // By whatever branch it comes, it has to be the same.
        let one = meant.next()??;
        meant.all(|other| other.as_ref() == Some(&one)).then_some(one)
    }

    fn has_known_bases(&self, class: &ClassOf, hops: usize) -> bool {
        let Some(left) = hops.checked_sub(1).filter(|_| self.step()) else { return false };
        self.bases(class, left).into_iter().all(|base| match base {
            BaseClass::Classes(classes) => classes.iter().all(|class| self.has_known_bases(class, left)),
            BaseClass::Standard(_) => true,
            BaseClass::Unknown => false,
        })
    }

    /// The modules that a class and its bases stand in.
    pub(super) fn modules_of_class(&self, class: &ClassOf, hops: usize) -> BTreeSet<String> {
        let mut modules = BTreeSet::from([class.module.clone()]);
        if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
            for base in self.bases(class, left) {
                if let BaseClass::Classes(classes) = base {
                    modules.extend(classes.iter().flat_map(|class| self.modules_of_class(class, left)));
                }
            }
        }
        modules
    }

    /// The members that a class is known to have.
    pub(super) fn names_of_class(&self, class: &ClassOf, hops: usize) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = class.surface.members.keys().cloned().collect();
        if let Some(left) = hops.checked_sub(1).filter(|_| self.step()) {
            for base in self.bases(class, left) {
                match base {
                    BaseClass::Classes(classes) => {
                        names.extend(classes.iter().flat_map(|class| self.names_of_class(class, left)));
                    }
                    BaseClass::Standard(base) => names.extend(base.members().into_iter().map(str::to_owned)),
                    BaseClass::Unknown => {}
                }
            }
        }
        names
    }
}

/// Names with underscores at both ends are Python's own.
fn is_special(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}
