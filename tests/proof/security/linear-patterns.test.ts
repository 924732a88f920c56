// Every regular expression of the product takes time that is linear in the text, or has a text whose length is limited.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParserOptions, parse } from '@babel/parser';
import { expect } from 'chai';
import { checkSync } from 'recheck';

/** Expressions that need not be linear: the file, the beginning of the expression, and why its text is short. */
const bounded: readonly (readonly [file: string, expression: string, bound: string])[] = [
  ['harness/sensitivity/suite-sensitivity.ts', '/\\b(?:Assertion', 'a line is cut after 4,000 characters'],
  ['harness/sensitivity/suite-sensitivity.ts', '/^\\s*(?:at .+', 'a line is cut after 4,000 characters'],
  ['harness/target/patient-target.ts', '/<(style|script', 'a response is cut after 4,000 characters'],
];

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Expression {
  readonly source: string;
  readonly flags: string;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  else if (isNode(value)) {
    yield value;
    for (const [field, part] of Object.entries(value)) if (field !== 'loc') yield* nodesIn(part);
  }
}

type Constants = ReadonlyMap<string, unknown>;

function constantsIn(nodes: readonly Node[]): Constants {
  const declared = nodes.filter(
    ({ type, id }) => type === 'VariableDeclarator' && isNode(id) && id.type === 'Identifier',
  );
  return new Map(declared.map(({ id, init }) => [String((id as Node).name), init]));
}

/** The expressions of a file: literals, constant texts given to `RegExp`, and patterns of schemas. */
function expressionsIn(nodes: readonly Node[], others: Constants): Expression[] {
  const constants = new Map([...others, ...constantsIn(nodes)]);
  return nodes.flatMap(node => {
    if (node.type === 'RegExpLiteral') return [{ source: String(node.pattern), flags: String(node.flags) }];
    const [given, flags] = textsOf(node);
    const source = constantText(given, constants);
    return source === undefined ? [] : [{ source, flags: constantText(flags, constants) ?? '' }];
  });
}

/** The text and the flags of an expression that is no literal. */
function textsOf({ type, callee, arguments: given, key, value }: Node): readonly unknown[] {
  if ((type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee.name === 'RegExp')
    return given as readonly unknown[];
  return type === 'ObjectProperty' && isNode(key) && key.name === 'pattern' ? [value] : [];
}

/** `undefined`: it is not constant within its file. */
function constantText(node: unknown, constants: Constants): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type === 'Identifier') return constantText(constants.get(String(node.name)), constants);
  if (node.type !== 'TemplateLiteral') return undefined;
  const fixed = (node.quasis as readonly { readonly value: { readonly cooked: string } }[]).map(
    ({ value }) => value.cooked,
  );
  const filled = (node.expressions as readonly unknown[]).map(one => constantText(one, constants));
  if (filled.includes(undefined)) return undefined;
  return fixed.map((text, i) => `${text}${filled[i] ?? ''}`).join('');
}

const known = new Map<string, string>();

/** `safe`, or what is wrong. Counts limit the search; the time only ends one that would never end. */
function verdictOf({ source, flags }: Expression): string {
  const key = `/${source}/${flags}`;
  const verdict = known.get(key) ?? judged(source, flags);
  known.set(key, verdict);
  return verdict;
}

function judged(source: string, flags: string): string {
  const isSticky = flags.includes('y'); // then it is tried at one place; recheck would also expect it to reach the end
  const [tried, without] = isSticky ? [`^(?:${source})`, flags.replace('y', '')] : [source, flags];
  const found = checkSync(tried, without, { timeout: 60_000, attackTimeout: null, incubationTimeout: null });
  if (found.status === 'vulnerable') return `${found.complexity.summary}, for example ${found.attack.pattern}`;
  return found.status === 'safe' ? 'safe' : `not known: ${found.error.kind}`;
}

describe('the regular expressions of', function () {
  this.timeout(300_000); // for machines without recheck's native program
  const files = ['server', 'harness', 'cli', 'ui'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map(name => join(folder, name)),
  );
  const parsed = files.map(file => {
    const plugins: ParserOptions['plugins'] = file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
    const { program } = parse(readFileSync(file, 'utf8'), { sourceType: 'module', plugins });
    return [file, [...nodesIn(program)]] as const;
  });
  const exported = new Map(
    parsed.flatMap(([, nodes]) => [
      ...constantsIn(nodes.filter(({ type }) => type === 'ExportNamedDeclaration').flatMap(node => [...nodesIn(node)])),
    ]),
  );
  const all = parsed
    .map(([file, nodes]) => [file, expressionsIn(nodes, exported)] as const)
    .filter(([, found]) => found.length > 0);

  it('some files are found', () => {
    expect(all.length).to.be.above(100);
    const given = all.flatMap(([, found]) => found.map(({ source }) => source));
    expect(given).to.include('^[1-5]XX$', 'of a schema').and.to.include('^[A-Za-z_][A-Za-z0-9_-]*$', 'of a constant');
  });

  it('the table of limited texts are there', () => {
    for (const [file, start] of bounded)
      expect(all.find(([name]) => name === file)?.[1].map(({ source }) => `/${source}`.startsWith(start))).to.include(
        true,
      );
  });

  for (const [file, found] of all) {
    it(`${file} are linear`, () => {
      const wrong = found
        .filter(({ source }) => !bounded.some(([name, start]) => name === file && `/${source}`.startsWith(start)))
        .map(one => [`/${one.source}/${one.flags}`, verdictOf(one)])
        .filter(([, verdict]) => verdict !== 'safe');
      expect(wrong).to.deep.equal([]);
    });
  }
});
