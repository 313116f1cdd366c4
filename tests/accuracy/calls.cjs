// Says what the TypeScript checker resolves every call of a source tree to.
//
//   node calls.cjs <folder of typescript> <root> <folder or file below the root>...
//
// One JSON document on standard output: for each call and `new` outside of tests the place of the callee's name, the
// declarations of its symbol and of its signature, and whether the symbol is a function, method or class of the tree.
'use strict';
const path = require('node:path');
const [home, root, ...folders] = process.argv.slice(2);
const ts = require(home);

const isTest = (file) => /(^|\/)(tests?|__tests__|benchmarks?)\//.test(file) || /\.(test|spec|test-d|bench)\.[cm]?[jt]sx?$/.test(file);
const relative = (file) => path.relative(root, file).split(path.sep).join('/');
const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const roots = folders
  .map((folder) => path.join(root, folder))
  .flatMap((place) => (ts.sys.fileExists(place) ? [place] : ts.sys.readDirectory(place, endings)))
  .filter((file) => !isTest(relative(file)));
const program = ts.createProgram(roots, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@zod/source'],
  lib: ['lib.es2022.d.ts', 'lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  allowJs: true,
  maxNodeModuleJsDepth: 0,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
});
const checker = program.getTypeChecker();
const own = new Set(roots.map((file) => path.resolve(file)));
const isOwn = (source) => own.has(path.resolve(source.fileName));

const place = (source, offset) => {
  const at = source.getLineAndCharacterOfPosition(offset);
  return [relative(source.fileName), at.line + 1, at.character + 1];
};

const bare = (node) =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression?.(node)
    ? bare(node.expression)
    : node;
const isFunctionValue = (node) =>
  node !== undefined && [ts.SyntaxKind.ArrowFunction, ts.SyntaxKind.FunctionExpression, ts.SyntaxKind.ClassExpression].includes(bare(node).kind);

// The declaration that gives a function expression its name.
const named = (node) => {
  let holder = node;
  while (holder.parent && (ts.isParenthesizedExpression(holder.parent) || ts.isAsExpression(holder.parent))) holder = holder.parent;
  const above = holder.parent;
  const names = above && (ts.isVariableDeclaration(above) || ts.isPropertyAssignment(above) || ts.isPropertyDeclaration(above));
  return names && above.initializer === holder ? above : node;
};

const keyword = (node) => {
  const word = node.getChildren().find((child) =>
    [ts.SyntaxKind.ConstructorKeyword, ts.SyntaxKind.FunctionKeyword, ts.SyntaxKind.ClassKeyword].includes(child.kind),
  );
  return (word ?? node).getStart();
};

// The property, parameter or type that a function type is written for.
const owner = (node) => {
  let holder = node.parent;
  while (holder && (ts.isParenthesizedTypeNode(holder) || ts.isUnionTypeNode(holder) || ts.isIntersectionTypeNode(holder))) holder = holder.parent;
  const names = holder && (ts.isPropertySignature(holder) || ts.isPropertyDeclaration(holder) || ts.isParameter(holder) || ts.isVariableDeclaration(holder));
  return names ? holder : node;
};

const describe = (node) => {
  const source = node.getSourceFile();
  if (!isOwn(source)) return { outside: true };
  const isType = ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node);
  const found = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? named(node) : isType ? owner(node) : node;
  const places = [place(source, found.name ? found.name.getStart() : keyword(found))];
  if (ts.isConstructorDeclaration(found) && found.parent.name) places.push(place(source, found.parent.name.getStart()));
  if (ts.isClassLike(found)) {
    for (const member of found.members) if (ts.isConstructorDeclaration(member)) places.push(place(source, keyword(member)));
  }
  const concrete =
    ts.isFunctionDeclaration(found) || ts.isMethodDeclaration(found) || ts.isClassLike(found) ||
    ts.isConstructorDeclaration(found) || ts.isAccessor(found) ||
    ((ts.isVariableDeclaration(found) || ts.isPropertyAssignment(found) || ts.isPropertyDeclaration(found)) && isFunctionValue(found.initializer));
  return { places, concrete, kind: ts.SyntaxKind[found.kind] };
};

const calls = [];
const visit = (node) => {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) note(node);
  ts.forEachChild(node, visit);
};
const note = (node) => {
  const callee = bare(node.expression);
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : ts.isElementAccessExpression(callee) ? callee.argumentExpression : callee;
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const signature = checker.getResolvedSignature(node)?.declaration;
  const bySymbol = (symbol?.declarations ?? []).map(describe);
  const bySignature = signature ? [describe(signature)] : [];
  if (callee.kind === ts.SyntaxKind.SuperKeyword) bySymbol.push(...bySignature);
  const inside = [...bySymbol, ...bySignature].filter((it) => !it.outside);
  calls.push({
    // The second call of `f()()` begins where the first one does; it is told by where the first one ends.
    at: place(node.getSourceFile(), ts.isCallExpression(callee) ? callee.getEnd() : name.getStart()),
    text: callee.getText().replace(/\s+/g, ' ').slice(0, 60),
    targets: inside.flatMap((it) => it.places),
    kinds: [...new Set(inside.map((it) => it.kind))],
    concrete: bySymbol.some((it) => it.concrete),
    outside: [...bySymbol, ...bySignature].some((it) => it.outside),
  });
};
for (const source of program.getSourceFiles()) if (isOwn(source)) visit(source);
process.stdout.write(JSON.stringify({ files: roots.length, calls }));
