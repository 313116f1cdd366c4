//! What a selector means: a name of a package, a field, or a method, also one that an embedded type gives.

use std::collections::HashSet;

use super::evaluate::{GoEvaluator, GoType, is_exported};
use super::facts::{GoField, GoMethod, TermId};
use super::packages::GoItem;
use crate::model::FileId;
use crate::tree::evaluation::Evaluator as _;

/// Types in types that are looked into.
const DEEPEST: u32 = 8;
/// Types that are looked into for one member; where there are more, nothing is said.
const MOST_TYPES: usize = 256;

impl<'a> GoEvaluator<'a> {
    /// What `name` of something is.
    pub(super) fn member(&mut self, of: &GoType<'a>, name: &str) -> GoType<'a> {
        match of {
            GoType::Package(package) if is_exported(name) => {
                let packages = self.packages;
                self.items(packages.named(*package, name))
            }
            GoType::OutsidePackage(module) | GoType::Outside(module) => GoType::Outside(module),
            GoType::Itself(of) => self.step(|this| this.selected(of, name)),
            GoType::BuiltIn => GoType::BuiltIn,
            GoType::Unknown
            | GoType::Package(_)
            | GoType::Tuple(..)
            | GoType::Function(..)
            | GoType::Callee(..)
            | GoType::BuiltInFunction(_) => GoType::Unknown,
            of => self.step(|this| this.selected(of, name)),
        }
    }

    /// The member that is found at the shallowest depth, if it is the only one there.
    fn selected(&mut self, of: &GoType<'a>, name: &str) -> GoType<'a> {
        let mut level = vec![behind_pointer(of.clone())];
        let mut seen: HashSet<GoItem> = HashSet::new();
        for _ in 0..DEEPEST {
            let (mut found, mut next, mut foreign) = (Vec::new(), Vec::new(), None);
            for of in level {
                let made_of = match &of {
                    GoType::Declared(item) => {
                        if !seen.insert(*item) {
                            continue;
                        }
                        if seen.len() > MOST_TYPES {
                            return GoType::Unknown;
                        }
                        if let Some(method) = self.method(*item, name) {
                            found.push(method);
                            continue;
                        }
                        self.underlying(&of)
                    }
                    _ => of,
                };
                match made_of {
                    GoType::Struct(file, fields, embedded) => {
                        found.extend(self.field(file, fields, embedded, name, &mut next));
                    }
                    GoType::Interface(file, methods, embedded) => {
                        found.extend(self.interface_method(file, methods, embedded, name, &mut next));
                    }
                    GoType::Outside(module) => foreign = Some(GoType::Outside(module)),
                    GoType::BuiltIn => foreign = Some(GoType::BuiltIn),
                    GoType::Unknown => foreign = Some(GoType::Unknown),
                    _ => {}
                }
            }
            match found.len() {
                0 => {}
                1 => return found.swap_remove(0),
                _ => return GoType::Unknown,
            }
            // A type that cannot be looked into may have the name.
            if let Some(foreign) = foreign {
                return foreign;
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        GoType::Unknown
    }

    fn method(&mut self, of: GoItem, name: &str) -> Option<GoType<'a>> {
        let packages = self.packages;
        let declared = packages.declared(of)?;
        let methods = packages.methods(packages.package_of(of.file)?, &declared.name, name);
        (!methods.is_empty()).then(|| self.items(methods))
    }

    fn field(
        &mut self,
        file: FileId,
        fields: &'a [GoField],
        embedded: &'a [TermId],
        name: &str,
        next: &mut Vec<GoType<'a>>,
    ) -> Option<GoType<'a>> {
        if let Ok(at) = fields.binary_search_by(|field| field.name.as_str().cmp(name)) {
            return fields.get(at).map(|field| self.term(file, field.term));
        }
        next.extend(embedded.iter().map(|term| behind_pointer(self.term(file, *term))));
        None
    }

    fn interface_method(
        &mut self,
        file: FileId,
        methods: &'a [GoMethod],
        embedded: &'a [TermId],
        name: &str,
        next: &mut Vec<GoType<'a>>,
    ) -> Option<GoType<'a>> {
        let at = methods.binary_search_by(|method| method.name.as_str().cmp(name)).ok();
        if let Some(method) = at.and_then(|at| methods.get(at)) {
            let element = method.element.and_then(|local| self.packages.project().element_id(file, local));
            return Some(GoType::Callee(element.into_iter().collect(), Some((file, method.result))));
        }
        next.extend(embedded.iter().map(|term| self.term(file, *term)));
        None
    }
}

fn behind_pointer<'a>(of: GoType<'a>) -> GoType<'a> {
    match of {
        GoType::Pointer(of) => (*of).clone(),
        of => of,
    }
}
