// Changes the operations and the domain in one place at a time and tells which of the changes the scenarios notice.
// Exits with 1 where fewer are noticed than asked for.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdown } from '../../support/measuring/table.js';
import type { Mutant } from './instrument.js';
import { type Reason, reasonFor, reasons, staleAmong } from './known.js';
import { type Options, readOptions } from './options.js';
import { type Project, prepare } from './prepare.js';
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
import { type Outcome, tryMutants } from './trial.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const MUTATED = /^server\/(operations|domain)\//;
/** What the document does not know: how worlds are read from YAML and JSON, checked and patched, and the names of sandboxes in paths. */
const OWN = /^server\/(domain\/(form|integrity|patch)\.ts|operations\/address\.ts (sandboxIn|SANDBOX_NAME))/;

await main(readOptions(process.argv.slice(2)));

async function main(options: Options): Promise<void> {
  const prepared = await prepare(projectOf(options));
  const besides = options.also.map(place => resolve(place).replace(/\.ya?ml$/, ''));
  const isBesides = (name: string) =>
    besides.some(place => [`${place}/`, `${place} `].some(start => `${name} `.startsWith(start)));
  const mutants = chosen(prepared.mutants, options);
  const started = performance.now();
  const outcomes = await tryMutants(mutants, prepared.bundles, {
    workers: options.workers,
    isBesides,
    progress: progressOf(mutants.length),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, null, 1)}\n`);
  tell(outcomes, options);
  console.log(`${mutants.length} mutants in ${seconds} s.`);
}

function tell(outcomes: readonly Outcome[], options: Options): void {
  const survivors = survivorsOf(outcomes);
  for (const reason of [...(Object.keys(reasons) as Reason[]), undefined]) {
    const those = survivors.filter(mutant => reasonFor(mutant) === reason);
    if (those.length > 0)
      console.log(
        [`## ${reason ?? 'Unexplained: a hole, or for known.ts'}`, '', ...those.map(changeOf), ''].join('\n'),
      );
  }
  if (options.sample === undefined && options.only.length === 0) {
    for (const { file, within, original, reason } of staleAmong(survivors)) {
      if (reason === 'limit') continue; // more work than is allowed may be stopped by the time instead
      console.log(`known.ts speaks of what is caught by now: ${file} ${within} ${original ?? ''}`);
    }
  }
  console.log(markdown(tableOf(outcomes)));
  console.log(markdown(reasonTable(survivors)));
  const behaviour = countOf(ofKind(outcomes, 'behaviour'));
  const besides = { ...behaviour, killed: behaviour.killed + behaviour.elsewhere };
  const broken = ofKind(outcomes, 'behaviour').filter(({ status, by }) => status === 'killed' && by?.throws).length;
  const score = noticeableScore(outcomes);
  const isEnough = score >= options.atLeast;
  console.log(
    [
      `Of the mutants of behaviour the suite catches ${percentage(scoreOf(behaviour))}, with what was asked besides ${percentage(scoreOf(besides))};`,
      `of those that anybody could notice the suite catches ${percentage(score)}, ${isEnough ? 'at least' : 'and not'} ${options.atLeast} %.`,
      `${broken} of those that are killed keep the fake from starting, or from going on.`,
    ].join('\n'),
  );
  process.exitCode = isEnough ? 0 : 1;
}

function projectOf(options: Options): Project {
  return {
    root,
    sources: serverFiles(),
    kindOf: (file, within = '') =>
      OWN.test(`${file} ${within}`) ? 'own' : MUTATED.test(file) ? 'behaviour' : undefined,
    subject: 'tests/tools/mutation/subject.ts',
    suite: 'tests/tools/mutation/suite.ts',
    files: [...scenarioFiles(options.scenarios), ...options.also.flatMap(place => scenarioFiles([place]))],
    out: join(root, 'bench/results/mutants'),
  };
}

function chosen(mutants: readonly Mutant[], { all, only, sample, seed }: Options): readonly Mutant[] {
  const some = mutants.filter(
    ({ file, kind }) => (all || kind === 'behaviour') && (only.length === 0 || only.some(part => file.includes(part))),
  );
  return sample === undefined ? some : sampled(some, sample, seed);
}

/** Every source by its path from the root: what is told and what is done can only be told apart by who uses it. */
function serverFiles(): Map<string, string> {
  const names = ['server', 'harness', 'cli'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  return new Map(
    names.filter(name => name.endsWith('.ts')).map(name => [name, readFileSync(join(root, name), 'utf8')] as const),
  );
}

function scenarioFiles(places: readonly string[]): string[] {
  const files = places.flatMap(place =>
    statSync(place).isDirectory()
      ? readdirSync(place)
          .filter(name => /\.ya?ml$/.test(name))
          .map(name => join(place, name))
      : [place],
  );
  if (files.length === 0) throw new Error(`there are no scenarios in ${places.join(', ')}`);
  return files.map(file => resolve(file)).sort();
}

/** How far a run is, on standard error: as it goes where that is a terminal, else by tenths. */
function progressOf(all: number): (done: number) => void {
  const { isTTY } = process.stderr;
  const step = Math.max(1, Math.ceil(all / 10));
  return done => {
    if (isTTY) process.stderr.write(`\r  ${done} of ${all}${done === all ? '\n' : ''}`);
    else if (done % step === 0) process.stderr.write(`  ${done} of ${all}\n`);
  };
}
