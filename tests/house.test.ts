// The order of the house: floors, loops, lengths, vendors, words. What is generated is compared in tests/derive.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { withoutEvidence } from '../server/derive/ledger/ledger.js';
import { rules } from '../server/operations/catalog/catalog.js';
import { shippedEvidence, shippedLedger } from '../server/scenario/load/shipped-ledger.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending) && !name.includes('node_modules'))
    .map(name => join(folder, name));
}
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = ['server', 'harness', 'cli'].flatMap(folder => filesIn(folder, '.ts'));
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)].map(match => match[1] ?? match[2] ?? '');
const inner = (file: string) =>
  importsOf(file)
    .filter(name => name.startsWith('.'))
    .map(name => relative(root, resolve(root, dirname(file), name)).replace(/\.js$/, '.ts'));

/** The floor of a file: it may use its own and those below. */
function floorOf(file: string): number {
  const [part = '', place = ''] = file.split('/');
  if (part !== 'server') return part === 'harness' ? 9 : 10;
  const floors: Record<string, number> = {
    domain: 1,
    operations: 2,
    engine: 3,
    derive: 4,
    store: 5,
    scenario: 5,
    outgoing: 5,
    control: 6,
    http: 7,
    settings: 7,
  };
  return floors[place] ?? 8;
}

/** Groups of folders that import each other, directly or through others; a folder and its parent count as two. */
function folderCycles(): string[][] {
  const imports = new Map<string, Set<string>>();
  for (const file of sources) {
    const known = imports.get(dirname(file)) ?? new Set();
    imports.set(dirname(file), known);
    for (const other of inner(file)) known.add(dirname(other));
  }
  const reached = new Map([...imports.keys()].map(folder => [folder, reachedFrom(folder, imports)]));
  const cycles = [...reached].map(([folder, others]) =>
    [folder, ...[...others].filter(other => other !== folder && reached.get(other)?.has(folder))].sort(),
  );
  return [...new Map(cycles.filter(({ length }) => length > 1).map(cycle => [cycle.join(), cycle])).values()].sort();
}

function reachedFrom(folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>, reached = new Set<string>()) {
  for (const other of imports.get(folder) ?? []) {
    if (reached.has(other)) continue;
    reached.add(other);
    reachedFrom(other, imports, reached);
  }
  return reached;
}

describe('the house', () => {
  it('imports point down the floors only', () => {
    const upward = sources.flatMap(file =>
      inner(file)
        .filter(other => floorOf(other) > floorOf(file))
        .map(other => `${file} -> ${other}`),
    );
    expect(upward).to.deep.equal([]);
  });

  it('the sources import each other only', () => {
    expect(sources.flatMap(inner).filter(file => !/^(?:server|harness|cli)\//.test(file))).to.deep.equal([]);
  });

  it('the dashboard knows the server by its wire only: one file names its types, and loads nothing', () => {
    const own = [...filesIn('ui', '.ts'), ...filesIn('ui', '.tsx')];
    const foreign = own.filter(file => importsOf(file).some(name => /\.\.\/(?:server|harness|cli)\//.test(name)));
    expect(foreign).to.deep.equal(['ui/client/wire.ts']);
    expect(readFileSync('ui/client/wire.ts', 'utf8')).not.to.match(/^(?:im|ex)port (?!type)[^\n]* from /m);
    const packages = new Set(own.flatMap(importsOf).filter(name => !name.startsWith('.')));
    expect([...packages].sort()).to.deep.equal(['@preact/signals', 'preact', 'preact/hooks']);
  });

  it('no file imports itself through others', () => {
    const loops: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) loops.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      else if (!seen.has(file)) for (const other of inner(file)) visit(other, [...path, file]);
      seen.add(file);
    };
    const seen = new Set<string>();
    for (const file of sources) visit(file, []);
    expect(loops).to.deep.equal([]);
  });

  it('no folder imports itself through others', () => {
    expect(folderCycles()).to.deep.equal([]);
  });

  it('one file re-exports others: the library', () => {
    const handing = sources.filter(file => /^export (?:type )?(?:\*|\{[^}]*\}) from /m.test(textOf(file)));
    expect(handing).to.deep.equal(['server/index.ts']);
  });

  it('the domain imports nothing but itself, its collections and the builder of its shapes', () => {
    const foreign = sources
      .filter(file => file.startsWith('server/domain/'))
      .flatMap(file => [
        ...inner(file).filter(other => !other.startsWith('server/domain/')),
        ...importsOf(file).filter(name => !name.startsWith('.') && !['immutable', '@sinclair/typebox'].includes(name)),
      ]);
    expect(foreign).to.deep.equal([]);
  });

  it('one vendor has one home', () => {
    const homes: Record<string, string> = {
      koa: 'server/http/',
      '@koa/router': 'server/http/',
      '@koa/cors': 'server/http/',
      'koa-bodyparser': 'server/http/',
      ajv: 'server/engine/request/validate.ts',
      yaml: 'server/scenario/',
      leven: 'server/engine/nearest.ts',
      re2js: 'server/engine/patterns/pattern.ts',
      'light-my-request': 'server/library/port/inject.ts',
      'prom-client': 'server/http/metrics/prometheus.ts',
      undici: 'server/outgoing/',
      '@streamparser/json': 'cli/record/har-file.ts',
      'classic-level': 'server/store/file/database.ts',
      '@redis/client': 'server/store/redis/redis-client.ts',
    };
    const strays = sources.flatMap(file =>
      importsOf(file)
        .filter(name =>
          Object.entries(homes).some(
            ([vendor, home]) => (name === vendor || name.startsWith(`${vendor}/`)) && !file.startsWith(home),
          ),
        )
        .map(name => `${file}: ${name}`),
    );
    expect(strays).to.deep.equal([]);
  });

  it('warns of files over 450 lines and functions over 60', () => {
    const all = [...sources, ...filesIn('ui', '.ts'), ...filesIn('ui', '.tsx'), ...filesIn('ui', '.css')];
    const long = [
      ...all.flatMap(file => lengthOver(450, file, textOf(file).split('\n').length - 1)),
      ...sources.flatMap(file =>
        functionLengths(textOf(file)).flatMap(([length, line]) => lengthOver(60, `${file}:${line}`, length)),
      ),
    ];
    if (long.length > 0) console.warn(['Long, so look whether it has two subjects:', ...long].join('\n  ')); // never fails: a limit makes people split what belongs together
  });

  it('every file begins by saying what it is for', () => {
    const silent = [
      ...sources,
      ...filesIn('ui', '.ts'),
      ...filesIn('ui', '.tsx'),
      ...filesIn('tests', '.ts'),
      ...filesIn('bench', '.ts'),
      ...filesIn('contracts', '.ts'),
    ].filter(file => !/^(#!.*\n)?\/\/ \S/.test(textOf(file)));
    expect(silent).to.deep.equal([]);
  });

  it('no file has a generic name', () => {
    expect(sources.filter(file => /\/(utils?|helpers?|common|managers?|base|types)\.ts$/.test(file))).to.deep.equal([]);
  });

  it('no two files have the same name', () => {
    const names = sources.map(file => basename(file));
    expect(sources.filter(file => names.indexOf(basename(file)) !== names.lastIndexOf(basename(file)))).to.deep.equal(
      [],
    );
  });

  it('no folder has more than 20 entries; the first one has the layers and the ways in', () => {
    const entries = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });
    const folders = new Set(
      sources.map(file => dirname(file)).filter(folder => folder !== 'server' && folder !== 'cli'),
    );
    expect([...folders].filter(folder => entries(folder).length > 20)).to.deep.equal([]);
    const first = entries('server').filter(entry => entry.isFile());
    expect(first.map(({ name }) => name).sort()).to.deep.equal(['index.ts']);
  });

  it('URLs are tried by parsedUrl, because URL.canParse is wrong in Node 20 and 22', () => {
    expect(sources.filter(file => textOf(file).includes('URL.canParse('))).to.deep.equal([]);
  });

  it('no class extends another of ours', () => {
    const text = sources.map(textOf).join('\n');
    const own = new Set([...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name));
    const extended = [...text.matchAll(/\bclass (\w+)(?:<.*>)? extends (\w+)/g)];
    expect(extended.filter(([, , parent]) => own.has(parent)).map(([, name]) => name)).to.deep.equal([]);
  });

  it('the test files whose times are known exist', () => {
    const times = JSON.parse(textOf('tests/times.json')) as object; // ours
    expect(Object.keys(times).filter(file => !existsSync(join(root, file)))).to.deep.equal([]);
  });
});

describe('the evidence', () => {
  it('is for each rule first a file of scenarios/rules', () => {
    const evidence = shippedEvidence();
    expect(Object.keys(rules).filter(rule => !evidence[rule]?.[0]?.startsWith('rules/'))).to.deep.equal([]);
  });

  it('exists for each reading', () => {
    expect(withoutEvidence(shippedLedger())).to.deep.equal({ rules: [], readings: [] });
  });
});

function lengthOver(most: number, place: string, length: number): string[] {
  return length > most ? [`${place} has ${length} lines`] : [];
}

/** Lengths of functions and methods in formatted code: each ends at the first closing brace at its own indentation. */
function functionLengths(text: string): Array<readonly [length: number, line: number]> {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const opened =
      /^(\s*)(?:export )?(?:async )?(?:function\b.*|(?:static |async )*[#\w]+\(.*\)(?:: .+)?|.*=> )\{$/.exec(line);
    if (opened === null || /^\s*(?:if|for|while|switch|return)\b/.test(line)) return [];
    const end = lines.findIndex((other, j) => j > i && other.startsWith(`${opened[1]}}`));
    return end === -1 ? [] : [[end - i + 1, i + 1] as const];
  });
}
