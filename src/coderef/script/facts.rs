//! What one script says by itself, in a form that can be linked: names, shapes, functions, types and the expressions
//! that calls, initialisers and `return`s are made of. Everything is a position in one of the tables of [`ScriptFacts`].

use serde::{Deserialize, Serialize};

use super::members::Members;

/// Position of a declared name.
pub type SymbolId = u32;
/// Position of an expression; 0 is the unknown one.
pub type ExprId = u32;
/// Position of a type; 0 is the unknown one.
pub type TypeId = u32;
pub type ShapeId = u32;
pub type FunctionId = u32;
/// 1-based line and column.
pub type At = (u32, u32);

/// What linking needs to know of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptFacts {
    pub imports: Vec<ScriptImport>,
    pub exports: Vec<ScriptExport>,
    pub symbols: Vec<Symbol>,
    pub shapes: Vec<ObjectShape>,
    pub functions: Vec<Function>,
    pub exprs: Vec<Expr>,
    pub types: Vec<Type>,
    pub calls: Vec<CallSite>,
    /// `import` or `export` stands in the file.
    pub module: bool,
}

/// One request for a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptImport {
    /// `None` when it is worked out at run time.
    pub specifier: Option<String>,
    pub kind: ImportKind,
    pub type_only: bool,
    pub names: Vec<ImportName>,
    pub at: At,
    /// The element it stands in.
    pub from: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportKind {
    Static,
    Dynamic,
    Require,
    /// `export … from`.
    Reexport,
}

/// A name that an import asks for: `default`, `*`, or the name it has in the other module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportName {
    pub name: String,
    pub type_only: bool,
    pub at: At,
}

/// A name that a file gives to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptExport {
    /// Empty for `export * from`.
    pub name: String,
    pub what: ScriptExportTarget,
    pub type_only: bool,
    pub at: At,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptExportTarget {
    Symbol(SymbolId),
    Expr(ExprId),
    /// `export { name } from`, `export * as x from` with the name `*`.
    From(u32, String),
    /// `export * from`.
    All(u32),
}

/// A declared name with all its declarations: TypeScript merges functions, classes, interfaces and namespaces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub name: String,
    pub declarations: Vec<Declaration>,
    /// The element that stands for a variable.
    pub element: Option<u32>,
    /// Assigned after its declaration.
    pub mutated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Declaration {
    /// Of `imports`, with the name in the other module: `default`, `*` or another.
    Import(u32, String),
    Function(FunctionId),
    Class(ShapeId),
    Interface(ShapeId),
    Namespace(ShapeId),
    Enum(ShapeId),
    Alias {
        ty: TypeId,
        parameters: Vec<SymbolId>,
    },
    TypeParameter {
        constraint: TypeId,
        default: TypeId,
    },
    Variable {
        ty: TypeId,
        value: ExprId,
    },
    Parameter {
        ty: TypeId,
        value: ExprId,
        function: FunctionId,
        index: u32,
        rest: bool,
    },
    /// The variable of `for (… of value)`.
    Each(ExprId),
    /// `import a = b.c`.
    Same(ExprId),
}

/// Something with members: a class, interface, object literal, type literal, namespace or enum.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectShape {
    pub kind: ShapeKind,
    pub element: Option<u32>,
    pub parameters: Vec<SymbolId>,
    /// The superclass as an expression with its type arguments.
    pub superclass: Option<(ExprId, Vec<TypeId>, At)>,
    pub extends: Vec<(TypeId, At)>,
    pub implements: Vec<(TypeId, At)>,
    pub members: Members,
    pub statics: Members,
    pub constructor: Option<FunctionId>,
    /// Functions that the value itself is when called.
    pub calls: Vec<FunctionId>,
    /// Functions that the value itself is behind `new`.
    pub news: Vec<FunctionId>,
    /// The type of what `[key]` gives.
    pub index: TypeId,
    /// `...value` of an object literal.
    pub spreads: Vec<ExprId>,
    /// What the place of an object literal asks for.
    pub context: TypeId,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShapeKind {
    Class,
    Interface,
    #[default]
    Object,
    TypeLiteral,
    Namespace,
    Enum,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: String,
    pub element: Option<u32>,
    pub value: MemberValue,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberValue {
    Method(FunctionId),
    Getter(FunctionId),
    Setter,
    /// A declared type, a value, or both; 0 for what is missing.
    Property(TypeId, ExprId),
    Symbol(SymbolId),
}

/// A function, method, arrow, constructor or signature.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub element: Option<u32>,
    pub parameters: Vec<Parameter>,
    pub type_parameters: Vec<SymbolId>,
    /// The declared type of the result; 0 when it follows from `returns`.
    pub result: TypeId,
    pub returns: Vec<ExprId>,
    pub asynchronous: bool,
    pub generator: bool,
    /// It has no body: a signature of an overload, an interface or a declaration.
    pub signature: bool,
    /// The type that the place of a function expression asks for.
    pub context: TypeId,
    /// The type of `this` when it is declared.
    pub this: TypeId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    pub ty: TypeId,
    pub optional: bool,
    pub rest: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    #[default]
    Unknown,
    Symbol(SymbolId),
    Global(String),
    /// `this` inside a shape, on its static side or not.
    This(ShapeId, bool),
    /// `this` of a function that declares its type or takes it from its place.
    ThisOf(FunctionId),
    Super(ShapeId, bool),
    Member(ExprId, String),
    /// `a[i]`, an element of a destructured array.
    Index(ExprId, Option<u32>),
    Call {
        callee: ExprId,
        arguments: Vec<ExprId>,
        types: Vec<TypeId>,
    },
    New {
        callee: ExprId,
        arguments: Vec<ExprId>,
        types: Vec<TypeId>,
    },
    Function(FunctionId),
    Object(ShapeId),
    Class(ShapeId),
    Array(Vec<ExprId>),
    Spread(ExprId),
    Await(ExprId),
    Cast(TypeId),
    /// `a satisfies T`, `a!`: the expression itself.
    Either(ExprId, ExprId),
    /// A type of the language: `string`, `RegExp` …
    Primitive(Primitive),
    /// `import(…)` and `require(…)` of a module.
    Module(u32),
    /// What is left of an object after these names.
    Rest(ExprId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Primitive {
    String,
    Number,
    Boolean,
    BigInt,
    Symbol,
    /// `null`, `undefined`, `void`, `never`.
    Nothing,
    RegExp,
    Any,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    #[default]
    Unknown,
    Primitive(Primitive),
    Symbol(SymbolId, Vec<TypeId>),
    Global(String, Vec<TypeId>),
    /// `a.b<T>`.
    Member(TypeId, String, Vec<TypeId>),
    Literal(ShapeId),
    /// A literal of text: the key of an indexed access.
    Text(String),
    Function(FunctionId),
    Constructor(FunctionId),
    Union(Vec<TypeId>),
    Intersection(Vec<TypeId>),
    Array(TypeId),
    Tuple(Vec<TypeId>),
    Typeof(ExprId),
    Indexed(TypeId, TypeId),
    This(ShapeId),
    Import(u32, Vec<String>),
    /// `check extends other ? yes : no`.
    Conditional(TypeId, TypeId),
    /// What argument `1` of the call or `new` `0` has to be.
    Argument(ExprId, u32),
    /// What a function has to give back.
    ResultOf(FunctionId),
    /// The type of the member of an object that stands where this type is asked for.
    MemberOf(TypeId, String),
    /// The type of the elements of what is asked for.
    ElementOf(TypeId),
    /// `{ [K in keys]: T }`.
    Mapped(TypeId),
    /// The type of an expression, asked for by what is assigned to it.
    Of(ExprId),
}

/// One call or `new`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// The element whose code calls; `None` for code of the module.
    pub from: Option<u32>,
    /// The call itself, in `exprs`.
    pub expr: ExprId,
    /// Of the name of what is called.
    pub at: At,
    /// What is called, as it is written.
    pub text: String,
}
