// What of the sources is told and not done: documentation, and the wording of messages. A suite that looks at answers and worlds cannot see it.
// Judges by the syntax alone.
import { dirname, join } from 'node:path/posix';
import { isSyntax, nodesOf, type Syntax, syntaxOf } from './syntax.js';

/** From one offset to another. */
export type Span = readonly [start: number, end: number];

/** Properties whose value is wording or a name; `unless` is what the documents know of refusals and the engine does not. */
const WORDING = ['says', 'source', 'summary', 'title', 'when', 'description', 'asks', 'means', 'about', 'unless', 'id'];
/** Properties of an operation that only documents are made of: neither engine nor HTTP read them. */
const DECLARED = ['rules', 'gaps', 'refusals', 'replies', 'examples'];
/** Which argument of a call is wording. */
const WORDED: Readonly<Record<string, number>> = {
  refuse: 1,
  string: 0,
  integer: 0,
  boolean: 0,
  array: 1,
  object: 2,
  partialObject: 2,
  anyOfFields: 2,
};

interface Declaration {
  readonly name: string;
  readonly span: Span;
  /** Where the name is known: a function, or the whole file. */
  readonly scope: Span;
  readonly isExported: boolean;
}

interface Parsed {
  readonly name: string;
  readonly declared: readonly Declaration[];
  /** Of what is imported by its own name, the file that it comes from. */
  readonly imported: ReadonlyMap<string, string>;
  readonly uses: ReadonlyMap<string, readonly Span[]>;
  readonly spans: Span[];
}

/** Of each file by its name, what is told. Files of operations lie in a folder of that name; all that use them have to be among the files. */
export function wordingIn(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Span[]> {
  const parsed = [...files].map(([name, text]): Parsed => {
    const tree = syntaxOf(text);
    const nodes = [...nodesOf(tree)];
    const spans = nodes.flatMap(([node, around]) => spanOf(node, around, name.includes('operations/')));
    return { name, declared: declarationsOf(nodes), imported: importsOf(tree, name), uses: usesIn(nodes), spans };
  });
  while (parsed.some(file => addHelpers(file, parsed)));
  return new Map(parsed.map(({ name, spans }) => [name, spans]));
}

export function isWithin([start, end]: Span, spans: readonly Span[]): boolean {
  return spans.some(([from, to]) => from <= start && end <= to);
}

/** The constants and functions of a file by their places, those inside others left out. */
export function partsOf(text: string): ReadonlyArray<{ readonly name: string; readonly span: Span }> {
  const tree = syntaxOf(text);
  return declarationsOf([...nodesOf(tree)]).filter(({ scope: [start] }) => start === tree.start);
}

function spanOf(node: Syntax, around: readonly Syntax[], isOperations: boolean): Span[] {
  if (node.type === 'ObjectProperty' && isSyntax(node.value) && around[0]?.type === 'ObjectExpression') {
    const key = nameOf(node.key) ?? '';
    const isReported =
      WORDING.includes(key) || (isOperations && DECLARED.includes(key)) || (key === 'gap' && hasStatus(around[0]));
    return isReported ? [spanFor(node.value)] : [];
  }
  if (node.type === 'ObjectExpression' && Array.isArray(node.properties) && node.properties.length > 0) {
    const isWording = node.properties.every(one => isSyntax(one) && WORDING.includes(nameOf(one.key) ?? ''));
    return isWording ? [spanFor(node)] : [];
  }
  if (node.type === 'CallExpression' && isSyntax(node.callee) && Array.isArray(node.arguments)) {
    const called = nameOf(node.callee.type === 'MemberExpression' ? node.callee.property : node.callee) ?? '';
    const at = called === 'refuse' || isOperations ? WORDED[called] : undefined;
    const argument: unknown = node.arguments[at ?? -1];
    return isSyntax(argument) ? [spanFor(argument)] : [];
  }
  return isOperations && isMeaning(node, around) ? [spanFor(node)] : [];
}

/** Whether an object has a status that is a number: a gap beside it only tells why. */
function hasStatus(object: Syntax | undefined): boolean {
  const properties = Array.isArray(object?.properties) ? object.properties.filter(isSyntax) : [];
  return properties.some(
    ({ key, value }) => nameOf(key) === 'status' && isSyntax(value) && value.type === 'NumericLiteral',
  );
}

/** The second of a pair in the readings of a gap: what the reading means. */
function isMeaning(node: Syntax, [pair, list, property]: readonly Syntax[]): boolean {
  return (
    pair?.type === 'ArrayExpression' &&
    Array.isArray(pair.elements) &&
    pair.elements.indexOf(node) === 1 &&
    list?.type === 'ArrayExpression' &&
    property?.type === 'ObjectProperty' &&
    nameOf(property.key) === 'readings'
  );
}

/** A constant or function of a module that is used only in what is told is told itself. Tells whether it has found one. */
function addHelpers(file: Parsed, all: readonly Parsed[]): boolean {
  const found = file.declared.filter(
    one => !isWithin(one.span, file.spans) && isToldOnly(one, file, one.isExported ? all : [file]),
  );
  file.spans.push(...found.map(({ span }) => span));
  return found.length > 0;
}

function isToldOnly({ name, span, scope }: Declaration, home: Parsed, among: readonly Parsed[]): boolean {
  const told = among.flatMap(file =>
    (file === home || file.imported.get(name) === home.name ? (file.uses.get(name) ?? []) : [])
      .filter(use => file !== home || (isWithin(use, [scope]) && !isWithin(use, [span])))
      .map(use => isWithin(use, file.spans)),
  );
  return told.length > 0 && told.every(Boolean);
}

/** Where each name is used. */
function usesIn(nodes: ReadonlyArray<readonly [Syntax, readonly Syntax[]]>): Map<string, Span[]> {
  const uses = new Map<string, Span[]>();
  for (const [node, [parent]] of nodes) {
    if (node.type !== 'Identifier' || isNaming(node, parent)) continue;
    const name = String(node.name);
    uses.set(name, [...(uses.get(name) ?? []), spanFor(node)]);
  }
  return uses;
}

/** Whether an identifier only gives or passes on a name: of a declaration, a property, an import or an export. */
function isNaming(node: Syntax, parent: Syntax | undefined): boolean {
  if (parent === undefined) return false;
  if (/^(Import|Export)Specifier$/.test(parent.type)) return true;
  if (parent.type === 'VariableDeclarator' || parent.type === 'FunctionDeclaration') return parent.id === node;
  if (parent.type === 'ObjectProperty') return parent.key === node && parent.value !== node;
  return parent.type === 'MemberExpression' && parent.property === node && parent.computed !== true;
}

/** The constants and functions of a file, those of its functions too. */
function declarationsOf(nodes: ReadonlyArray<readonly [Syntax, readonly Syntax[]]>): Declaration[] {
  return nodes.flatMap(([node, around]) => {
    const name = nameOf(node.id);
    if ((node.type !== 'VariableDeclarator' && node.type !== 'FunctionDeclaration') || name === undefined) return [];
    const scope = around.find(({ type }) => /Function|ObjectMethod|ClassMethod|Program/.test(type)) ?? node;
    const isExported = around.slice(0, 2).some(({ type }) => type === 'ExportNamedDeclaration');
    return [{ name, span: spanFor(node), scope: spanFor(scope), isExported }];
  });
}

function importsOf(tree: Syntax, file: string): Map<string, string> {
  const body = Array.isArray(tree.body) ? tree.body.filter(isSyntax) : [];
  return new Map(
    body.flatMap(({ type, source, specifiers }) => {
      if (type !== 'ImportDeclaration' || !isSyntax(source) || !Array.isArray(specifiers)) return [];
      const from = join(dirname(file), String(source.value)).replace(/\.js$/, '.ts');
      return specifiers.filter(isSyntax).map(({ local }) => [nameOf(local) ?? '', from] as const);
    }),
  );
}

function nameOf(key: unknown): string | undefined {
  if (!isSyntax(key)) return undefined;
  if (key.type === 'Identifier') return String(key.name);
  return key.type === 'StringLiteral' ? String(key.value) : undefined;
}

function spanFor({ start, end }: Syntax): Span {
  return [start, end];
}
