//! What a scan of scripts finds: every edge of small projects, and that nothing about it depends on where they lie.

use std::path::Path;
use std::time::Duration;

use rstest::rstest;
use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_coderef::model::{CodebaseIndex, EdgeKind, EdgeStatus, EdgeTarget, ElementKind, GraphNode, Parse};
use tapps_sandbox::Boundary;

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn index_at(root: &Path) -> CodebaseIndex {
    let options = ScanOptions { fresh: true, ..ScanOptions::default() };
    scan(&Boundary::open(root).unwrap(), &options, &Call::quiet(Duration::from_secs(600))).unwrap()
}

fn index_of(files: &[(&str, &str)]) -> CodebaseIndex {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    index_at(dir.path())
}

fn name(index: &CodebaseIndex, node: GraphNode) -> String {
    match node {
        GraphNode::File(file) => index.files[file.0 as usize].path.clone(),
        GraphNode::Element(id) => {
            let element = &index.elements[id.0 as usize];
            format!("{}#{}", index.files[element.file.0 as usize].path, element.path)
        }
    }
}

/// Edges of one kind as `from -> to`, with the status when it is not `resolved`.
fn edges(index: &CodebaseIndex, kind: EdgeKind) -> Vec<String> {
    let told = index.edges.iter().filter(|edge| edge.kind == kind).map(|edge| {
        let to = match &edge.to {
            EdgeTarget::Node(node) => name(index, *node),
            EdgeTarget::Candidates { nodes, .. } => {
                nodes.iter().map(|node| name(index, *node)).collect::<Vec<_>>().join(" | ")
            }
            EdgeTarget::External { module, name } => format!("{module}:{}", name.as_deref().unwrap_or("*")),
            EdgeTarget::Builtin(name) | EdgeTarget::Unknown(name) => name.clone(),
        };
        let status = match edge.status {
            EdgeStatus::Resolved => String::new(),
            other => format!(" ({other:?})").to_lowercase(),
        };
        format!("{} -> {to}{status}", name(index, edge.from))
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

fn check(files: &[(&str, &str)], kind: EdgeKind, expected: &[&str]) {
    let index = index_of(files);
    let mut expected: Vec<&str> = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(edges(&index, kind), expected);
}

#[rstest]
#[case::namespace_import(
    &[("a.ts", "import * as util from './util.js';\nexport function go() { util.done(); util.more.deep(); }\n"),
      ("util.ts", "export function done() {}\nexport * as more from './more.js';\n"),
      ("more.ts", "export const deep = () => 1;\nexport class Other { done() {} }\n")],
    &["a.ts#go -> util.ts#done", "a.ts#go -> more.ts#deep"])]
#[case::constructors_and_heritage(
    &[("base.ts", "export abstract class Base {\n  constructor(n: number) { this.init(n); }\n  protected init(n: number) {}\n  abstract run(): void;\n}\n"),
      ("a.ts", "import { Base } from './base';\nexport class A extends Base {\n  constructor() { super(1); }\n  run() { this.init(2); super.init(3); }\n}\nclass B extends A {}\nexport const make = () => { new A().run(); new B().run(); };\n")],
    &["base.ts#Base.constructor -> base.ts#Base.init", "a.ts#A.constructor -> base.ts#Base.constructor",
      "a.ts#A.run -> base.ts#Base.init", "a.ts#make -> a.ts#A.constructor", "a.ts#make -> a.ts#A.run", "a.ts#make -> a.ts#B"])]
#[case::private_names_and_statics(
    &[("a.ts", "class C {\n  static of() { return new C(); }\n  #hidden() {}\n  go() { this.#hidden(); C.of().go(); }\n  static { C.of(); }\n}\n")],
    &["a.ts#C.of -> a.ts#C", "a.ts#C.go -> a.ts#C.#hidden", "a.ts#C.go -> a.ts#C.of", "a.ts#C.go -> a.ts#C.go", "a.ts#C -> a.ts#C.of"])]
#[case::generators_and_defaults(
    &[("gen.ts", "export default function* () { yield 1; }\n"), ("arrow.ts", "export default async () => 1;\n"),
      ("cls.ts", "export default class { go() {} }\n"),
      ("a.ts", "import gen from './gen'; import arrow from './arrow'; import Cls from './cls';\nfor (const x of gen()) arrow();\nnew Cls().go();\n")],
    &["a.ts -> gen.ts#default", "a.ts -> arrow.ts#default", "a.ts -> cls.ts#default", "a.ts -> cls.ts#default.go"])]
#[case::typed_receivers(
    &[("t.ts", "export interface Store { get(key: string): Item; }\nexport class Item { use() {} }\nexport type Box<T> = { value: T };\n"),
      ("a.ts", "import type { Store, Item, Box } from './t';\nexport function f(store: Store, items: Map<string, Item>, box: Box<Item>) {\n  store.get('x').use();\n  items.get('y')!.use();\n  box.value.use();\n  for (const item of items.values()) item.use();\n  [...items.values()].forEach((it) => it.use());\n}\n")],
    &["a.ts#f -> t.ts#Store.get", "a.ts#f -> t.ts#Item.use", "a.ts#f -> Map.get (builtin)", "a.ts#f -> Map.values (builtin)", "a.ts#f -> Array.forEach (builtin)"])]
#[case::never_by_bare_name(
    &[("a.ts", "export class Cache { get() {} forEach() {} }\nexport function f(x: any, done: () => void) { x.get(); [1].forEach(done); done(); JSON.parse('1'); }\n")],
    &["a.ts#f -> x.get (unresolved)", "a.ts#f -> Array.forEach (builtin)", "a.ts#f -> done (unresolved)", "a.ts#f -> JSON.parse (builtin)"])]
#[case::locals_shadow_imports(
    &[("op.ts", "export function delay() {}\n"),
      ("a.ts", "import { delay } from './op';\nexport function f(o: { delay: () => void }) { const { delay } = o; delay(); }\nexport function g() { delay(); }\n")],
    &["a.ts#g -> op.ts#delay", "a.ts#f -> delay (unresolved)"])]
#[case::overloads_are_one(
    &[("a.ts", "export function f(a: string): A;\nexport function f(a: number): B;\nexport function f(a: any): any {}\nclass A { one() {} }\nclass B { two() {} }\nf('x').one();\nf(1).two();\n")],
    &["a.ts -> a.ts#f", "a.ts -> a.ts#A.one", "a.ts -> a.ts#B.two"])]
#[case::objects_and_aliases(
    &[("a.js", "const api = { get() { return this.raw(); }, raw: () => 1, nested: { deep() {} } };\nconst { get } = api;\nconst again = get;\nagain();\napi.nested.deep();\nfunction outer() { function inner() {} inner(); }\n")],
    &["a.js#api.get -> a.js#api.raw", "a.js -> a.js#api.get", "a.js -> a.js#api.deep", "a.js#outer -> a.js#outer.inner"])]
#[case::commonjs(
    &[("lib.cjs", "exports.one = function () {};\nmodule.exports.two = () => {};\n"), ("whole.js", "module.exports = function build() { return { run() {} }; };\n"),
      ("a.cjs", "const lib = require('./lib.cjs');\nconst { two } = require('./lib.cjs');\nconst build = require('./whole');\nlib.one(); two(); build().run();\nrequire('fs').readFileSync('x');\nrequire(name);\n")],
    &["a.cjs -> lib.cjs#one", "a.cjs -> lib.cjs#two", "a.cjs -> whole.js#build", "a.cjs -> whole.js#build.run",
      "a.cjs -> node:fs.readFileSync (builtin)", "a.cjs -> require (builtin)"])]
#[case::doc_comments_are_annotations(
    &[("store.js", "/** @typedef {import('./item')} Item */\n/** @typedef {(item: Item) => void} Visit */\n\nclass Store {\n  constructor() {\n    /** @type {Map<string, Item>} */\n    this.items = new Map();\n  }\n\n  /**\n   * @param {string} key a key\n   * @returns {Item} what is kept\n   */\n  get(key) {\n    return this.items.get(key);\n  }\n\n  /** @param {Visit} visit called for each */\n  each(visit) {\n    for (const item of this.items.values()) item.use();\n  }\n}\nmodule.exports = Store;\n"),
      ("item.js", "class Item {\n  use() {}\n}\nmodule.exports = Item;\n"),
      ("a.js", "const Store = require('./store');\n/** @typedef {import('./store').Item} Item */\n/**\n * @param {Store} store kept\n * @param {object} options how\n * @param {Item=} options.item one\n * @param {...Item} rest more\n */\nfunction f(store, options, ...rest) {\n  store.get('x').use();\n}\n/** @type {typeof f} */\nconst again = (store, options, ...rest) => {\n  options.item.use();\n  rest[0].use();\n  store.each((item) => item.use());\n};\nconst cast = () => /** @type {Item} */ (anything()).use();\n/** @type {Item | undefined} */\nlet late;\nconst g = (/** @type {Store} */ own) => { late.use(); own.each(() => {}); };\n")],
    &["store.js#Store.constructor -> Map (builtin)", "store.js#Store.get -> Map.get (builtin)", "store.js#Store.each -> Map.values (builtin)",
      "store.js#Store.each -> item.js#Item.use", "a.js#f -> store.js#Store.get", "a.js#f -> item.js#Item.use",
      "a.js#again -> item.js#Item.use", "a.js#again -> store.js#Store.each", "a.js#cast -> item.js#Item.use", "a.js#cast -> anything (unresolved)",
      "a.js#g -> item.js#Item.use", "a.js#g -> store.js#Store.each"])]
#[case::doc_comments_with_type_parameters(
    &[("bag.js", "/**\n * @template T\n * @extends {Set<T>}\n */\nclass Bag extends Set {\n  /** @returns {T} */\n  first() {\n    return [...this][0];\n  }\n}\nexports.Bag = Bag;\n"),
      ("a.js", "const { Bag } = require('./bag');\nclass Item { use() {} }\nclass Other { use() {} }\n/**\n * @template {Item} U\n * @callback Make\n * @param {U} item\n * @returns {U[]}\n */\n/**\n * @typedef {object} Box\n * @property {Item} item in it\n * @property {Other} other\n */\n/** @param {Bag<Item>} bag */\nconst f = (bag) => {\n  bag.first().use();\n  for (const item of bag) item.use();\n};\n/**\n * @template V\n * @param {V} value\n * @returns {V} the same\n */\nconst same = (value) => value;\n/** @param {Box} box @param {Make<Item>} make */\nexports.g = function ({ item, other }, make) {\n  same(other).use();\n  make(item)[0].use();\n};\n")],
    &["a.js#f -> bag.js#Bag.first", "a.js#f -> a.js#Item.use", "a.js#g -> a.js#same", "a.js#g -> a.js#Other.use", "a.js#g -> a.js#Item.use", "a.js#g -> make (unresolved)"])]
#[case::doc_comments_say_nothing_in_typescript_or_without_proof(
    &[("a.ts", "class Item { use() {} }\n/** @param {Item} x */\nexport function f(x) { x.use(); }\n"),
      ("b.js", "class Item { use() {} }\nclass Other { use() {} }\n/** @param {Item | Other} x @param {Missing} y @param {function(Item): void} z */\nfunction f(x, y, z) { x.use(); y.use(); z.use(); }\n/** See a@param {Item} x */\nfunction g(x) { x.use(); }\n")],
    &["a.ts#f -> x.use (unresolved)", "b.js#f -> b.js#Item.use | b.js#Other.use (ambiguous)", "b.js#f -> Missing.use (builtin)", "b.js#f -> z.use (unresolved)", "b.js#g -> x.use (unresolved)"])]
#[case::functions_given_later(
    &[("a.js", "var app = { init() {} };\napp.use = function use() { this.init(); this.run(); };\napp.run = () => app.use();\nfunction Query() {}\nQuery.prototype.exec = function () { this.done(); };\nQuery.prototype.done = function () {};\nnew Query().exec();\nmodule.exports = app;\n"),
      ("b.js", "const app = require('./a');\napp.run();\n")],
    &["a.js#app.use -> a.js#app.init", "a.js#app.use -> a.js#app.run", "a.js#app.run -> a.js#app.use", "a.js#Query.exec -> a.js#Query.done",
      "a.js -> a.js#Query", "a.js -> a.js#Query.exec", "b.js -> a.js#app.run"])]
#[case::enums_and_namespaces(
    &[("a.ts", "export enum Color { Red }\nexport namespace Tools {\n  export function mix(c: Color) {}\n  export namespace Inner { export const go = () => mix(Color.Red); }\n}\nTools.mix(Color.Red);\nTools.Inner.go();\n")],
    &["a.ts -> a.ts#Tools.mix", "a.ts -> a.ts#Tools.Inner.go", "a.ts#Tools.Inner.go -> a.ts#Tools.mix"])]
#[case::jsx_uses_components(
    &[("ui.tsx", "export const Button = () => <b />;\nexport default function App() { return <Button />; }\n")],
    &["ui.tsx#App -> ui.tsx#Button"])]
#[case::cycles(
    &[("a.ts", "export * from './b';\nexport { y as x } from './b';\nexport const a = () => b();\nimport { b } from './b';\n"),
      ("b.ts", "export * from './a';\nexport { x as y } from './a';\nexport const b = () => a();\nimport { a } from './a';\n")],
    &["a.ts#a -> b.ts#b", "b.ts#b -> a.ts#a"])]
#[case::external_packages(
    &[("a.ts", "import React, { useState } from 'react';\nimport * as path from 'node:path';\nuseState(1); React.memo(1); path.join('a');\n")],
    &["a.ts -> react:useState (external)", "a.ts -> react:memo (external)", "a.ts -> node:path.join (builtin)"])]
#[case::script_blocks(
    &[("a.vue", "<template>\n  <p/>\n</template>\n<script setup lang=\"ts\">\nimport { go } from './go';\nconst run = () => go();\n</script>\n"),
      ("b.svelte", "<script>\n  import { go } from './go';\n  function start() { go(); }\n</script>\n<p>{start()}</p>\n"), ("go.ts", "export function go() {}\n")],
    &["a.vue#run -> go.ts#go", "b.svelte#start -> go.ts#go"])]
fn calls(#[case] files: &[(&str, &str)], #[case] expected: &[&str]) {
    check(files, EdgeKind::Call, expected);
}

#[test]
fn modules_are_found_as_typescript_finds_them() {
    let files: &[(&str, &str)] = &[
        (
            "package.json",
            r#"{ "name": "@me/app", "exports": { ".": "./dist/index.js", "./util": "./src/util/index.ts" } }"#,
        ),
        ("tsconfig.json", r#"{ "extends": "./gone.json", "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#),
        ("src/index.ts", "export { help } from './util';\n"),
        ("src/util/index.ts", "export function help() {}\nexport type T = 1;\n"),
        (
            "src/a.ts",
            "import { help } from '@/util';\nimport { help as again } from '@me/app';\nimport { help as third } from '@me/app/util';\nimport type { T } from './util/index.js';\nimport './gone';\nimport x from 'left-pad';\nconst lazy = () => import('./util');\n",
        ),
    ];
    let index = index_of(files);
    let of_a: Vec<String> =
        edges(&index, EdgeKind::Import).into_iter().filter(|it| it.starts_with("src/a.ts")).collect();
    assert_eq!(
        of_a,
        [
            "src/a.ts -> ./gone (unresolved)",
            "src/a.ts -> left-pad:* (external)",
            "src/a.ts -> left-pad:default (external)",
            "src/a.ts -> src/index.ts",
            "src/a.ts -> src/util/index.ts",
            "src/a.ts -> src/util/index.ts (dynamic)",
            "src/a.ts -> src/util/index.ts (typeonly)",
            "src/a.ts -> src/util/index.ts#T (typeonly)",
            "src/a.ts -> src/util/index.ts#help",
        ]
    );
    assert_eq!(
        index.problems.iter().map(|it| format!("{}: {}", it.file, it.message)).collect::<Vec<_>>(),
        ["tsconfig.json: extends ./gone.json, which cannot be read; its settings are left out"]
    );
    let exports = edges(&index, EdgeKind::Export);
    assert!(exports.contains(&"src/index.ts -> src/util/index.ts#help".to_owned()), "{exports:?}");
}

#[test]
fn configuration_that_cannot_be_used_is_told_in_every_reply() {
    let index = index_of(&[
        ("a.ts", "import { b } from '@/b';\nexport const a = () => b();\n"),
        ("b.ts", "export const b = () => 1;\n"),
        ("tsconfig.json", "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./*\"] } "),
        ("sub/c.ts", "export const c = 1;\n"),
        ("sub/tsconfig.json", "{ \"extends\": \"./d.json\" }"),
        ("sub/d.json", "{ \"extends\": \"./tsconfig.json\" }"),
    ]);
    let told: Vec<(&str, bool)> =
        index.problems.iter().map(|it| (it.file.as_str(), it.message.contains("cannot be read"))).collect();
    assert_eq!(told, [("sub/d.json", false), ("tsconfig.json", true)]);
    let graph = tapps_coderef::graph::Graph::new(&index);
    let scanned = tapps_coderef::scan::scan_elements(&graph, &Default::default()).unwrap();
    assert_eq!(scanned.problems, index.problems);
    let request = tapps_coderef::query::QueryRequest {
        query_type: tapps_coderef::query::QueryType::Calls,
        target: "a".to_owned(),
        source: None,
        max_depth: None,
        limit: None,
    };
    assert_eq!(tapps_coderef::query::query_graph(&graph, &request).unwrap().problems, index.problems);
}

#[test]
fn heritage_names_what_is_extended() {
    let files: &[(&str, &str)] = &[
        (
            "a.ts",
            "import * as ns from './b';\nimport { External } from 'pkg';\nexport interface I extends ns.J {}\nclass C extends ns.Base<string> implements I, ns.J {}\nclass D extends External {}\nclass E extends Error {}\nclass F extends mixin(ns.Base) {}\n",
        ),
        ("b.ts", "export interface J {}\nexport class Base<T> {}\n"),
    ];
    let index = index_of(files);
    assert_eq!(
        edges(&index, EdgeKind::Extends),
        [
            "a.ts#C -> b.ts#Base",
            "a.ts#D -> pkg:External (external)",
            "a.ts#E -> Error (builtin)",
            "a.ts#F -> extends (unresolved)",
            "a.ts#I -> b.ts#J"
        ]
    );
    assert_eq!(edges(&index, EdgeKind::Implements), ["a.ts#C -> a.ts#I", "a.ts#C -> b.ts#J"]);
}

#[test]
fn tests_reach_what_they_call() {
    let files: &[(&str, &str)] = &[
        ("src/a.ts", "export function add() { return one(); }\nfunction one() {}\n"),
        (
            "src/a.test.ts",
            "import { add } from './a';\nfunction helper() { add(); }\nit('adds', () => { helper(); add(); });\n",
        ),
        ("checks.ts", "import { add } from './src/a';\ndescribe('all', () => { add(); });\n"),
    ];
    let index = index_of(files);
    let tests: Vec<_> = index.files.iter().filter(|file| file.test).map(|file| file.path.as_str()).collect();
    assert_eq!(tests, ["checks.ts", "src/a.test.ts"]);
    assert_eq!(
        edges(&index, EdgeKind::Test),
        ["checks.ts -> src/a.ts#add", "src/a.test.ts -> src/a.ts#add", "src/a.test.ts#helper -> src/a.ts#add"]
    );
}

const ELEMENTS: &str = "/** Makes things. More. */\nexport const make = async (a: number, { b = 1 } = {}): Promise<void> => { if (a && b) {} };\n\
const LIMIT = 3;\nexport interface Shape { area(): number; readonly name: string }\nexport type Id = string | number;\n\
export enum Color { Red }\nexport namespace Space { export const inner = 1; }\n\
@logged()\n@ns.sealed\nexport abstract class Model<T> extends Base {\n  static count = 0;\n  #secret = 1;\n  handler = () => this.#secret;\n  constructor(private id: Id) { super(); }\n\
  get value() { return 1; }\n  set value(v) {}\n  async *walk() {}\n  abstract run(): void;\n}\n\
export function useThing() {}\nexport function View() { return <p />; }\nexport default function () {}\nfunction over(a: string): void;\nfunction over(a: any) {}\n";

#[test]
fn elements_have_kinds_paths_and_marks() {
    let index = index_of(&[("a.tsx", ELEMENTS)]);
    assert_eq!(index.files[0].parse, Parse::Whole);
    let told: Vec<(ElementKind, &str, u32)> =
        index.elements.iter().map(|element| (element.kind, element.path.as_str(), element.span.line)).collect();
    assert_eq!(
        told,
        [
            (ElementKind::Function, "make", 2),
            (ElementKind::Constant, "LIMIT", 3),
            (ElementKind::Interface, "Shape", 4),
            (ElementKind::Method, "Shape.area", 4),
            (ElementKind::Property, "Shape.name", 4),
            (ElementKind::Type, "Id", 5),
            (ElementKind::Enum, "Color", 6),
            (ElementKind::Namespace, "Space", 7),
            (ElementKind::Constant, "Space.inner", 7),
            (ElementKind::Class, "Model", 10),
            (ElementKind::Property, "Model.count", 11),
            (ElementKind::Property, "Model.#secret", 12),
            (ElementKind::Method, "Model.handler", 13),
            (ElementKind::Constructor, "Model.constructor", 14),
            (ElementKind::Property, "Model.id", 14),
            (ElementKind::Accessor, "Model.value", 15),
            (ElementKind::Method, "Model.walk", 17),
            (ElementKind::Method, "Model.run", 18),
            (ElementKind::Hook, "useThing", 20),
            (ElementKind::Component, "View", 21),
            (ElementKind::Function, "default", 22),
            (ElementKind::Function, "over", 23),
        ]
    );
    let of = |path: &str| index.elements.iter().find(|element| element.path == path).unwrap();
    assert_eq!(of("make").doc.as_deref(), Some("Makes things. More."));
    assert_eq!(of("make").span.lead_line, 1);
    assert_eq!(of("make").signature, "export const make = async (a: number, { b = 1 } = {}): Promise<void>");
    assert!(of("make").modifiers.asynchronous);
    let metrics = of("make").metrics.unwrap();
    assert_eq!((metrics.cyclomatic, metrics.parameters, metrics.nesting, metrics.cognitive), (5, 2, 1, 2));
    assert_eq!(of("Model").decorators, ["logged", "ns.sealed"]);
    assert_eq!(of("Model").signature, "export abstract class Model<T> extends Base");
    assert_eq!(of("Model").span.lead_line, 8);
    assert!(of("Model").modifiers.abstract_ && of("Model.run").modifiers.abstract_);
    assert!(of("Model.walk").modifiers.generator && of("Model.count").modifiers.static_);
    assert!(of("Model.#secret").modifiers.private && of("Model.id").modifiers.private);
    assert_eq!(of("Model.walk").parent.map(|id| index.elements[id.0 as usize].path.as_str()), Some("Model"));
    assert!(index.elements.is_sorted_by_key(|element| (element.file, element.span.bytes.start)));
}

#[test]
fn a_body_is_known_again_when_only_names_and_spaces_change() {
    let hash = |text: &str| index_of(&[("a.ts", text)]).elements[0].body;
    let first = hash("function one(a) { return a + 1; }\n");
    assert_eq!(first, hash("// moved\n\nfunction two(a) {\n  // why\n  return a+1;\n}\n"));
    assert_ne!(first, hash("function one(a) { return a + 2; }\n"));
}

#[test]
fn the_place_of_a_project_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let files: &[(&str, &str)] = &[
        ("build/a.ts", "import { b } from '../env/b';\nexport const a = () => b();\n"),
        ("env/b.ts", "export function b() {}\n"),
        ("tmp/c.js", "export default () => 1;\n"),
        ("env/pkg/__init__.py", "from .d import d\n"),
        ("env/pkg/d.py", "from ..pkg import d as own\ndef d(): return own\n"),
        ("build/lib.rs", "pub fn e() { f() }\nfn f() {}\n"),
    ];
    let roots = ["plain", "tmp/build/env", "node_modules/x/dist", "tests/__tests__"];
    let all: Vec<CodebaseIndex> = roots
        .iter()
        .map(|root| {
            let root = dir.path().join(root);
            write(&root, files);
            index_at(&root)
        })
        .collect();
    assert_eq!(all[0].files.len(), 6);
    assert!(all.iter().all(|index| *index == all[0]));
}

#[test]
fn broken_strange_and_large_files_do_not_stop_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let large = format!(
        "export const data = [\n{}];\nexport function last() {{}}\n",
        "  { id: 1, name: 'x' },\n".repeat(230_000)
    );
    write(
        dir.path(),
        &[
            ("ok.ts", "export function ok() {}\n"),
            ("broken.ts", "export function before() {}\nconst x = ;\n"),
            ("large.ts", &large),
            ("empty.ts", ""),
            ("deep.js", &format!("x = {}1{};\n", "[".repeat(5_000), "]".repeat(5_000))),
        ],
    );
    std::fs::write(dir.path().join("latin.js"), b"x = '\xe9'").unwrap();
    std::fs::write(dir.path().join("huge.js"), vec![b' '; 11 * 1024 * 1024]).unwrap();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
    let index = index_at(dir.path());
    let parse = |path: &str| &index.files.iter().find(|file| file.path == path).unwrap().parse;
    assert_eq!(index.files.len(), 7, "links are not followed");
    assert_eq!(parse("ok.ts"), &Parse::Whole);
    assert_eq!(parse("empty.ts"), &Parse::Whole);
    assert!(matches!(parse("broken.ts"), Parse::Broken { line: 2, .. }), "{:?}", parse("broken.ts"));
    assert!(matches!(parse("deep.js"), Parse::Broken { line: 1, .. }));
    assert_eq!(parse("large.ts"), &Parse::Whole);
    assert_eq!(parse("latin.js"), &Parse::Skipped { reason: "not UTF-8".into() });
    assert!(matches!(parse("huge.js"), Parse::Skipped { .. }));
    assert!(index.elements.iter().any(|element| element.name == "last" && element.span.line == 230_003));
}

#[test]
fn complexity_is_that_of_the_linter() {
    use tapps_base::source::Source;
    use tapps_rules::script;
    use tapps_rules::shape::BlockKind;

    use crate::systems::{System, require};

    // Their sources are packages of npm.
    if require(System::Node).is_none() {
        return;
    }
    let mut compared = 0;
    for package in ["query-core", "rxjs"] {
        let root = super::corpus::dir(package).join("src");
        let index = index_at(&root);
        for (number, file) in (0..).zip(&index.files) {
            let bytes = std::fs::read(root.join(&file.path)).unwrap();
            let shape = script::analyze_script(&Source::new(&file.path, bytes));
            let blocks = shape.blocks.iter().filter(|block| block.kind != BlockKind::Class);
            let blocks: Vec<_> = blocks.map(|block| (block.name.as_str(), block)).collect();
            for element in index.elements.iter().filter(|element| element.file.0 == number) {
                let Some(metrics) = element.metrics else { continue };
                // Accessors share an element, and names that come twice cannot be told apart.
                let last = |name: &str| name.rsplit('.').next() == Some(element.name.as_str());
                let same: Vec<_> = blocks
                    .iter()
                    .filter(|(name, block)| last(name) && block.end_line == element.span.end_line)
                    .collect();
                if let [(_, block)] = same.as_slice() {
                    let ours = (metrics.cyclomatic, metrics.nesting, metrics.parameters);
                    assert_eq!(
                        ours,
                        (block.complexity, block.nesting, block.parameters),
                        "{}#{}",
                        file.path,
                        element.path
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 700, "too little was compared: {compared}");
}

/// What a generator writes is read in full; a search through all members for each of them would take minutes.
#[test]
fn generated_scripts_are_read_in_full() {
    const MANY: usize = 30_000;
    let write = |line: &dyn Fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    let index = index_of(&[
        ("methods.js", &format!("class A {{\n{}}}\n", write(&|n| format!("  m{n}() {{ this.m{}(); }}\n", n / 2)))),
        ("object.js", &format!("const o = {{\n{}}};\n", write(&|n| format!("  k{n}: () => {n},\n")))),
        ("signatures.ts", &format!("interface I {{\n{}}}\n", write(&|n| format!("  s{n}(): number;\n")))),
        ("classes.js", &write(&|n| format!("class C{n} {{ constructor() {{ this.a = {n}; }} }}\n"))),
        ("one_line.c", &format!("void f() {{{}}}\n", write(&|_| "f(1);".to_owned()))),
        ("types.rs", &write(&|n| format!("struct S{n};\nimpl S{n} {{ fn a(&self) {{ self.a(); }} }}\n"))),
    ]);
    let elements = |path: &str| {
        let file = index.files.iter().position(|file| file.path == path).unwrap();
        index.elements.iter().filter(|element| element.file.0 as usize == file).count()
    };
    let counts = ["methods.js", "object.js", "signatures.ts", "classes.js", "one_line.c", "types.rs"].map(elements);
    assert_eq!(counts, [MANY + 1, MANY + 1, MANY + 1, 2 * MANY, 1, 2 * MANY]);
    let shown = |of: usize| format!("methods.js#A.m{of}");
    let calls: Vec<(String, String)> = (index.edges.iter())
        .filter(|edge| edge.kind == EdgeKind::Call)
        .filter_map(|edge| match edge.to {
            EdgeTarget::Node(to) => Some((name(&index, edge.from), name(&index, to))),
            _ => None,
        })
        .collect();
    assert_eq!(
        calls
            .iter()
            .filter(|(from, to)| from.starts_with("methods.js#A.m") && to.starts_with("methods.js#A.m"))
            .count(),
        MANY
    );
    assert!(calls.contains(&(shown(MANY - 1), shown((MANY - 1) / 2))));
    assert_eq!(calls.iter().filter(|(from, to)| from.starts_with("types.rs#S") && from == to).count(), MANY);
    let itself = index.edges.iter().find(|edge| edge.kind == EdgeKind::Call && edge.sites.len() > 1).unwrap();
    assert_eq!((itself.sites.len(), itself.sites.last()), (MANY, Some(&(1, 11 + 5 * (MANY as u32 - 1)))));
}
