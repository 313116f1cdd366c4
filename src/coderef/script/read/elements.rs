//! Making elements.

use oxc_span::Span;

use super::reader::{Holder, Outer, ScriptFactsReader};
use crate::model::{
    Element, ElementId, ElementKind, ElementMetrics, ExportKind as Exporting, FileId, Modifiers, Span as Place,
};

/// What is known of a declaration when its element is made.
#[derive(Debug)]
pub(super) struct Draft<'n> {
    pub(super) kind: ElementKind,
    pub(super) name: &'n str,
    pub(super) name_span: Span,
    /// The whole declaration.
    pub(super) span: Span,
    /// Up to where its head goes.
    pub(super) head: u32,
    pub(super) export: Exporting,
    pub(super) modifiers: Modifiers,
    /// Where the head begins, after decorators.
    pub(super) after_decorators: u32,
    pub(super) decorators: Vec<String>,
}

impl<'n> Draft<'n> {
    pub(super) fn new(kind: ElementKind, name: &'n str, name_span: Span, span: Span, head: u32) -> Self {
        Self {
            kind,
            name,
            name_span,
            span,
            head,
            export: Exporting::No,
            modifiers: Modifiers { private: name.starts_with('#'), ..Modifiers::default() },
            after_decorators: span.start,
            decorators: Vec::new(),
        }
    }

    pub(super) fn with_outer(mut self, outer: Option<Outer>) -> Self {
        if let Some(outer) = outer {
            self.export = outer.export;
            self.span.start = self.span.start.min(outer.start);
            self.after_decorators = self.after_decorators.min(outer.start);
        }
        self
    }
}

impl ScriptFactsReader<'_, '_> {
    /// Adds an element below the one that is being read.
    pub(super) fn add_element(&mut self, new: Draft<'_>) -> u32 {
        let (parent, prefix) =
            self.holders.last().map_or((None, String::new()), |holder| (holder.element, holder.path.clone()));
        let mut path = if prefix.is_empty() { new.name.to_owned() } else { format!("{prefix}.{}", new.name) };
        let count = self.names.entry((new.kind, path.clone())).or_default();
        *count += 1;
        if *count > 1 {
            path = format!("{path}~{count}");
        }
        let (line, column) = self.at(new.name_span.start);
        let (lead, doc) = self.text.leading_doc(new.span.start);
        let head = Span::new(new.after_decorators, new.head.max(new.after_decorators));
        self.elements.push(Element {
            file: FileId(0),
            kind: new.kind,
            name: new.name.to_owned(),
            path,
            parent: parent.map(ElementId),
            span: Place {
                lead_line: self.at(lead).0,
                line,
                column,
                end_line: self.positions.last_line(new.span.end),
                bytes: new.span.start..new.span.end,
            },
            signature: self.text.signature_line(head),
            export: new.export,
            doc,
            modifiers: new.modifiers,
            decorators: new.decorators,
            metrics: None,
            body: self.text.hash(new.span, new.name_span),
        });
        u32::try_from(self.elements.len() - 1).unwrap_or(u32::MAX)
    }

    /// Reads what is inside an element.
    pub(super) fn read_inside_element(&mut self, element: u32, read: impl FnOnce(&mut Self)) {
        let path = self.elements.get(element as usize).map(|element| element.path.clone()).unwrap_or_default();
        self.holders.push(Holder { element: Some(element), path });
        // How a declaration is exported says nothing of what is inside it.
        let outer = self.outer.take();
        read(self);
        self.outer = outer;
        self.holders.pop();
    }

    /// Adds the measurements, once everything has been entered and left.
    pub(super) fn finish_elements(&mut self) {
        for (element, span, parameters) in std::mem::take(&mut self.measured) {
            let sums = self.measure.sums(span);
            let lines = self.positions.last_line(span.end) + 1 - self.at(span.start).0;
            let total = self.measure.total(span);
            let is_markup = self.markup.contains(&element);
            let Some(element) = self.elements.get_mut(element as usize) else { continue };
            let lines = lines.max(element.span.end_line + 1 - element.span.line);
            if is_markup
                && matches!(element.kind, ElementKind::Function)
                && element.name.starts_with(|first: char| first.is_uppercase() || first == 'd')
            {
                element.kind = ElementKind::Component;
            }
            element.metrics = Some(ElementMetrics {
                cyclomatic: sums.branches + 1,
                cyclomatic_total: total,
                cognitive: sums.cognitive,
                nesting: sums.nesting,
                parameters,
                lines,
            });
        }
    }
}
