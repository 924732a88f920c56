// The library as a page: each name that it exports, as it is declared, with its documentation. Read off the sources, so that no type is written twice.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { parse } from '@babel/parser';
import { namesIn, printShape, SHAPE } from '../../build/shapes.mjs';
import { code, fenced, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { type Flag, settingFlags } from '../../server/settings/serve-flags.js';
import { page } from './page.js';

interface Exported {
  /** What users import. */
  readonly name: string;
  /** What it is called where it is declared. */
  readonly local: string;
  readonly file: string;
}

/** What users meet first. */
const FIRST = [
  'startFake',
  'createFake',
  'Fake',
  'Sandbox',
  'SandboxOptions',
  'StartOptions',
  'CreateOptions',
  'clientAt',
  'providerStates',
  'FakeError',
];

/** The pages of the library: what users meet first, and the shapes of what missing arguments: and gives. */
export function libraryPages(face: string): Readonly<Record<string, () => string>> {
  const all = exportedFrom(face);
  const first = FIRST.map(name => all.find(exported => exported.name === name)).filter(
    exported => exported !== undefined,
  );
  const shapes = all.filter(exported => !first.includes(exported));
  return {
    'library.md': () => facePage(first),
    'library-input.md': () =>
      shapesPage(
        'takes',
        shapes.filter(exported => !isGiven(exported)),
        '[what it gives](library-output.md).',
      ),
    'library-output.md': () => shapesPage('gives', shapes.filter(isGiven), '[what it takes](library-input.md).'),
  };
}

function facePage(exported: readonly Exported[]): string {
  return page({
    title: 'Library',
    lead: 'The functions and methods for a program that uses the fake.',
    body: [
      "`import { startFake } from 'cwx-fake'`, or `require('cwx-fake')`. Importing it does nothing. What is wrong with an input is a `FakeError` that",
      'says everything at once. [Test in Node.js](../how-to/test-in-node.md) shows it at work.',
      ...exported.flatMap(section),
    ],
    next: 'what methods [take](library-input.md) and [give](library-output.md).',
  });
}

function shapesPage(direction: string, exported: readonly Exported[], next: string): string {
  return page({
    title: `Library: what it ${direction}`,
    lead: `What the methods of the library ${direction === 'takes' ? 'take' : 'return'}.`,
    body: ['`cwx-fake` exports these types.', ...exported.flatMap(section)],
    next,
  });
}

/** Whether a shape is what sandboxes have come to, not what a program says. */
function isGiven({ file }: Exported): boolean {
  return /\/server\/(?:engine|scenario|control)\b/.test(file);
}

function section({ name, local, file }: Exported): string[] {
  return ['', `## ${name}`, '', ...fenced('text', declarationOf(local, file)), ...(flagOptions[name]?.() ?? [])];
}

/** The options that follow from flags, which the declarations only refer to. */
const flagOptions: Readonly<Record<string, () => readonly string[]>> = {
  CreateOptions: () => optionRows(undefined),
  StartOptions: () => optionRows('startFake'),
};

function optionRows(program: 'startFake' | undefined): string[] {
  const options = settingFlags.filter(flag => flag.program === program);
  const rows = options.map(flag => [
    code(flag.setting),
    code(optionType(flag)),
    flag.description,
    code(`--${flag.name}`),
  ]);
  return ['', ...markdownTable(['option', 'type', 'the description of its flag', 'flag'], rows)];
}

function optionType({ setting, value, choices, repeatable, isNumber }: Flag & { readonly setting: string }): string {
  if (setting === 'profile') return 'ProfileName'; // `Settings` narrows it
  if (choices !== undefined)
    return Object.values(choices)
      .map(choice => JSON.stringify(choice))
      .join(' or ');
  if (value === undefined) return 'boolean';
  return repeatable ? 'readonly string[]' : isNumber ? 'number' : 'string';
}

/** The names behind `export { … } from '…'` of a file, in order. */
function exportedFrom(face: string): Exported[] {
  return programOf(face).body.flatMap(statement => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source == null) return [];
    const file = resolve(dirname(face), statement.source.value.replace(/\.js$/, '.ts'));
    return statement.specifiers.flatMap(specifier => {
      if (specifier.type !== 'ExportSpecifier' || specifier.exported.type !== 'Identifier') return [];
      return [{ name: specifier.exported.name, local: specifier.local.name, file }];
    });
  });
}

/** The source of a declaration with its doc comment, without the bodies of functions. */
function declarationOf(name: string, file: string): string {
  const text = readFileSync(file, 'utf8');
  for (const statement of programOf(file).body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration == null) continue;
    const { declaration } = statement;
    const declared = 'id' in declaration && declaration.id?.type === 'Identifier' ? declaration.id.name : undefined;
    if (declared !== name) continue;
    const comment = statement.leadingComments?.at(-1);
    const doc = comment?.type === 'CommentBlock' ? `${text.slice(comment.start ?? 0, comment.end ?? 0)}\n` : '';
    return doc + withShape(withoutBodies(text, declaration), file, text);
  }
  throw new Error(`${file} declares no ${name}`);
}

/** The declaration of a type, with its members if it is inferred from a schema. */
function withShape(declaration: string, file: string, source: string): string {
  if (!declaration.includes('Shape<')) return declaration;
  const module = createRequire(import.meta.url)(file) as Readonly<Record<string, object>>;
  const names = namesIn(source, module);
  return declaration.replace(SHAPE, (_, name: string, schema: string) => printShape(name, module[schema] ?? {}, names));
}

function withoutBodies(text: string, node: Declaration): string {
  const [start, end] = [node.start ?? 0, node.end ?? 0];
  if (node.type === 'FunctionDeclaration') return `${text.slice(start, node.body.start ?? end).trimEnd()};`;
  if (node.type !== 'ClassDeclaration') return text.slice(start, end);
  const bodies = node.body.body.flatMap(member => (member.type === 'ClassMethod' ? [member.body] : []));
  return bodies.reduceRight(
    (shown, body) => {
      const [from, to] = [(body.start ?? 0) - start, (body.end ?? 0) - start];
      return `${shown.slice(0, from).trimEnd()};${shown.slice(to)}`;
    },
    text.slice(start, end),
  );
}

type Program = ReturnType<typeof parse>['program'];
type Declaration = NonNullable<Extract<Program['body'][number], { type: 'ExportNamedDeclaration' }>['declaration']>;

function programOf(file: string): Program {
  return parse(readFileSync(file, 'utf8'), { sourceType: 'module', plugins: ['typescript'] }).program;
}
