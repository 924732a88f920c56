// The mutation run on tiny projects: killed, surviving and endless mutants, and what counts as text only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { instrument } from './instrument.js';
import { type Known, reasonFor, staleAmong } from './known.js';
import { readOptions } from './options.js';
import { prepare } from './prepare.js';
import {
  changeOf,
  countOf,
  noticeableScore,
  ofKind,
  percentage,
  reasonTable,
  scoreOf,
  survivorsOf,
  tableOf,
} from './results.js';
import { sampled } from './sample.js';
import { withoutCasts } from './syntax.js';
import { type Outcome, tryMutants } from './trial.js';

const SUM = `export function total(numbers: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i += 1) sum += numbers[i] ?? 0;
  return sum;
}
export const size = (count: number) => (count > 100 ? 'many' : 'few');
export const unused = () => 'never';
export const limits = { most: 7 } as const;
const most = () => limits.most;
if (most() === undefined && limits.most !== undefined) throw new Error('there is no most');
`;
const SUITE = `export function open(files) {
  return {
    names: ['adds', 'sizes', 'limits'],
    async failure(name, { total, size, limits }) {
      if (files[0] === 'broken') return 'is broken';
      if (name === 'adds') return total([1, 2]) === 3 ? undefined : 'does not add';
      if (name === 'sizes') return size(5) === 'few' ? undefined : 'is not few';
      return limits.most === 7 ? undefined : 'has other limits';
    },
  };
}
`;

/** Runs the mutants of a tiny project. */
async function tried(files: readonly string[] = []): Promise<Outcome[]> {
  const root = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    writeFileSync(join(root, 'sum.ts'), SUM);
    writeFileSync(join(root, 'suite.ts'), SUITE);
    const { mutants, bundles } = await prepare({
      root,
      sources: new Map([['sum.ts', SUM]]),
      kindOf: () => 'behaviour',
      subject: 'sum.ts',
      suite: 'suite.ts',
      files,
      out: join(root, 'out'),
    });
    return await tryMutants(mutants, bundles, { workers: 2, grace: 500 });
  } finally {
    rmSync(root, { recursive: true });
  }
}

const mutantsOf = async (name: string, text: string) =>
  (await instrument(new Map([[name, text]]), () => 'behaviour')).mutants;

describe('a mutation run', () => {
  let outcomes: readonly Outcome[];
  before(async () => {
    outcomes = await tried();
  });
  const outcomeOf = (original: string, replacement: string) =>
    outcomes.find(({ mutant }) => mutant.original === original && mutant.replacement === replacement);

  it('kills a mutant that a test notices, and names the test', () => {
    expect(outcomeOf('sum += numbers[i] ?? 0', 'sum -= numbers[i] ?? 0')).to.deep.include({
      status: 'killed',
      by: { name: 'adds', says: 'does not add' },
    });
  });

  it('reports a mutant that no test notices as a survivor', () => {
    expect(outcomeOf('count > 100', 'count >= 100')?.status).to.equal('survived');
    expect(outcomeOf("'many'", '""')?.status).to.equal('uncovered');
  });

  it('notices decisions made at load time, and looks behind a cast', () => {
    expect(outcomeOf('{ most: 7 }', '{}')).to.deep.include({
      status: 'killed',
      by: { name: 'limits', says: 'has other limits' },
    });
  });

  it('separates a mutant that crashes the subject from a killed one', () => {
    const broken = outcomes.find(({ mutant }) => mutant.change === 'ArrowFunction' && mutant.line === 6);
    expect(broken?.by).to.deep.equal({ name: 'sizes', says: 'is not few' });
    expect(outcomeOf('() => limits.most', '() => undefined')?.by).to.include({
      says: 'there is no most',
      throws: true,
    });
  });

  it('reports a mutant that no test runs', () => {
    expect(outcomeOf("'never'", '""')?.status).to.equal('uncovered');
  });

  it('stops an endless mutant, and goes on with the next', () => {
    expect(outcomeOf('i += 1', 'i -= 1')?.status).to.equal('timeout');
    expect(outcomes).to.have.length(countOf(outcomes).mutants);
    expect(outcomes.every(({ status }) => status !== undefined)).to.equal(true);
  });

  it('counts, and lists the survivors with their places', () => {
    const { mutants, killed, timeout, survived, uncovered } = countOf(outcomes);
    expect(killed + timeout + survived + uncovered).to.equal(mutants);
    expect(scoreOf({ mutants: 8, killed: 5, timeout: 1, survived: 1, uncovered: 1 })).to.equal(75);
    expect(tableOf(outcomes).rows[0]?.slice(0, 2)).to.deep.equal(['sum.ts', String(mutants)]);
    expect(survivorsOf(outcomes).map(changeOf)).to.include('sum.ts:6:41\n  - count > 100\n  + count >= 100');
  });

  it('refuses to start with a suite that already fails', async () => {
    const failed = await tried(['broken']).then(
      () => '',
      error => String(error),
    );
    expect(failed).to.include('fails without any mutant').and.to.include('is broken');
  });

  it('does not round up to 100 %', () => {
    expect(percentage(89.99)).to.equal('89.9 %');
    expect(percentage(100)).to.equal('100.0 %');
    expect(scoreOf(countOf([]))).to.equal(100);
  });
});

describe('code that only describes', () => {
  const kinds = async (name: string, text: string) =>
    Object.fromEntries((await mutantsOf(name, text)).map(({ original, kind }) => [original, kind]));

  it('is documentation, in properties of that name', async () => {
    expect(await kinds('domain/a.ts', "export const a = { says: 'told', code: 'done' };")).to.deep.include({
      "'told'": 'told',
      "'done'": 'behaviour',
    });
  });

  it('is a message, and the code that only writes messages', async () => {
    const text = [
      "import { refuse } from './b.js';",
      "const quoted = (name: string) => '<' + name;",
      "const known = (name: string) => '>' + name;",
      "export const a = (name: string) => refuse('code', quoted(name) + known(name)) ?? known(name);",
    ].join('\n');
    expect(await kinds('operations/a.ts', text)).to.deep.include({
      "'<'": 'told',
      "'>'": 'behaviour',
      "'code'": 'behaviour',
    });
  });

  it('is not what another file uses, by its import', async () => {
    const quoted = "export const quoted = (name: string) => '<' + name;\nrefuse('code', quoted('x'));";
    const kindWith = async (other: string) => {
      const files = new Map([
        ['operations/a.ts', quoted],
        ['engine/b.ts', other],
      ]);
      const { mutants } = await instrument(files, file => (file === 'operations/a.ts' ? 'behaviour' : undefined));
      return mutants.find(({ original }) => original === "'<'")?.kind;
    };
    const use = 'export const path = quoted(name);';
    expect(await kindWith(`import { quoted } from '../operations/a.js';\n${use}`)).to.equal('behaviour');
    expect(await kindWith(`import { quoted } from './c.js';\n${use}`)).to.equal('told');
    expect(await kindWith("import { quoted } from '../operations/a.js';\nrefuse(1, quoted(2));")).to.equal('told');
  });

  it('is the description of an operation or a reading for documents', async () => {
    const text = "export const a = { gaps: ['x'], method: 'POST', readings: [['name', 'means'], ['b', 'c']] };";
    expect(await kinds('operations/a.ts', text)).to.deep.include({
      "'x'": 'told',
      "'POST'": 'behaviour',
      "'name'": 'behaviour',
      "'means'": 'told',
    });
  });

  it('is not a function that only calls itself', async () => {
    expect(
      (await kinds('operations/a.ts', "export function a(n: number): string {\n  return n > 0 ? a(n - 1) : 'end';\n}"))[
        "'end'"
      ],
    ).to.equal('behaviour');
  });

  it('keeps its place when casts are removed', () => {
    const text = "const a = (x as unknown as\n  Y) + ({ b: 'c' } as const satisfies Z).b; // as is";
    const bare = withoutCasts(text);
    expect(bare).to.have.length(text.length);
    expect(bare.replace(/\s+/g, ' ')).to.equal("const a = (x ) + ({ b: 'c' } ).b; // as is");
    expect(bare.indexOf('\n')).to.equal(text.indexOf('\n'));
  });
});

describe('the options of a mutation run', () => {
  it('target the rules suite by default', () => {
    expect(readOptions([])).to.include({ atLeast: 90, all: false, seed: 1 });
    expect(readOptions([]).scenarios).to.deep.equal(['scenarios/rules']);
    expect(readOptions([]).also).to.deep.equal(['scenarios/gaps']);
    expect(readOptions(['--also', 'none']).also).to.deep.equal([]);
  });

  it('refuse invalid and out-of-range numbers', () => {
    expect(() => readOptions(['--at-least', '101'])).to.throw('--at-least must be a whole number from 0 to 100');
    expect(() => readOptions(['--sample', ''])).to.throw('--sample');
    expect(() => readOptions(['--workers', '0'])).to.throw('--workers');
    expect(() => readOptions(['--rounds', '1'])).to.throw('--rounds');
  });

  it('draw the same sample for the same seed, and another for another', () => {
    const items = Array.from({ length: 100 }, (_, i) => i);
    expect(sampled(items, 5, 7)).to.deep.equal(sampled(items, 5, 7));
    expect(sampled(items, 5, 7)).to.not.deep.equal(sampled(items, 5, 8));
    expect(sampled(items, 100, 3)).to.deep.equal(items);
    expect(new Set(sampled(items, 50, 3)).size).to.equal(50);
  });
});

describe('a known survivor', () => {
  const entries: readonly Known[] = [
    { file: 'a.ts', within: 'f', original: /guard/, reason: 'equivalent' },
    { file: 'a.ts', within: 'f', reason: 'world' },
    { file: 'b.ts', within: 'f', reason: 'limit' },
  ];
  const place = (file: string, within: string, original: string) => ({ file, within, original });

  it('has the reason of the first entry that matches it', () => {
    expect(reasonFor(place('a.ts', 'f', 'the guard'), entries)).to.equal('equivalent');
    expect(reasonFor(place('a.ts', 'f', 'other'), entries)).to.equal('world');
    expect(reasonFor(place('a.ts', 'g', 'the guard'), entries)).to.equal(undefined);
  });

  it('is reported if its entry matches nothing any more', () => {
    expect(staleAmong([place('a.ts', 'f', 'the guard')], entries).map(({ reason }) => reason)).to.deep.equal(['limit']);
  });

  it('is left out of the killable share, if it cannot be noticed at all', () => {
    const mutant = { id: '1', line: 1, column: 1, change: 'x', replacement: 'b', kind: 'behaviour' } as const;
    const file = 'server/domain/facts.ts';
    const outcomes: Outcome[] = [
      { mutant: { ...mutant, file, within: 'evolve', original: 'a' }, status: 'killed' },
      { mutant: { ...mutant, file, within: 'joiningFrom', original: 'a' }, status: 'survived' },
      { mutant: { ...mutant, file, within: 'evolvers', original: 'i === at' }, status: 'survived' },
      { mutant: { ...mutant, file, within: 'evolve', original: 'a' }, status: 'elsewhere' },
    ];
    expect(scoreOf(countOf(outcomes))).to.equal(25);
    expect(percentage(noticeableScore(outcomes))).to.equal('33.3 %');
    const counts = reasonTable(survivorsOf(outcomes)).rows.map(([name = '', count]) => [name.split(':')[0], count]);
    expect(counts.filter(([, count]) => count !== '0')).to.deep.equal([
      ['equivalent', '1'],
      ['world', '1'],
    ]);
  });
});

describe('the kinds of mutants', () => {
  it('are counted separately', () => {
    const mutant = {
      id: '1',
      file: 'a.ts',
      line: 1,
      column: 1,
      change: 'x',
      original: 'a',
      replacement: 'b',
      within: 'a',
    };
    const outcomes: Outcome[] = [
      { mutant: { ...mutant, kind: 'behaviour' }, status: 'killed' },
      { mutant: { ...mutant, kind: 'told' }, status: 'survived' },
      { mutant: { ...mutant, kind: 'own' }, status: 'elsewhere' },
    ];
    expect(ofKind(outcomes, 'behaviour')).to.have.length(1);
    expect(tableOf(outcomes).rows).to.deep.equal([
      ['a.ts', '1', '1', '0', '0', '0', '0', '100.0 %'],
      ['**behaviour**', '1', '1', '0', '0', '0', '0', '100.0 %'],
      ['**own**', '1', '0', '0', '1', '0', '0', '0.0 %'],
      ['**told**', '1', '0', '0', '0', '1', '0', '0.0 %'],
      ['**all**', '3', '1', '0', '1', '1', '0', '33.3 %'],
    ]);
  });
});
