// Makes the lists of shipped files that need no second check: the fixtures, the scenarios that are listed and the suites of rules and gaps, each loaded
// whole here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../domain/form/patch.js';
import { runToEnd } from '../../domain/iterables.js';
import { defaultFolders, findNamed, namesBeside, packageRoot } from '../files/folders.js';
import { type Checked, suiteFolders, textHash } from '../files/prevalidated.js';
import { isProblems, type Problems, showProblem } from '../yaml/problem.js';
import { parseSource, type Source } from '../yaml/source.js';
import { type BuiltFixture, buildingFixture } from './fixture.js';
import { type Loaded, scenarioFrom } from './load-scenario.js';

/** Values by hash of the text. Throws if a file is invalid. */
export function checkedFiles(): Readonly<Record<string, unknown>> {
  const root = packageRoot();
  const filesOf = (kind: string) =>
    namesBeside('', [join(root, kind)]).flatMap(name => {
      const found = findNamed(name, [join(root, kind)]);
      return 'file' in found ? [found.file] : [];
    });
  const [fixtures, scenarios] = [filesOf('fixtures'), filesOf('scenarios')];
  const all = [...fixtures, ...scenarios].map(file => checked(file, scenarios.includes(file)));
  return Object.fromEntries(all.map(({ key, source }) => [key, source.value]));
}

/** The files of the suites of rules and gaps, with the lines of their steps. */
export function checkedSuites(): Readonly<Record<string, Checked>> {
  const scenarios = join(packageRoot(), 'scenarios');
  const names = suiteFolders.flatMap(folder => namesBeside(`${folder}/any`, [scenarios]));
  return Object.fromEntries(
    names.map(name => {
      const { key, source } = checked(join(scenarios, `${name}.yaml`), true);
      return [key, { value: source.value, stepLines: stepLinesOf(source) }];
    }),
  );
}

function stepLinesOf({ value, lineOf }: Source): number[] {
  const steps = isObject(value) && Array.isArray(value.steps) ? value.steps : [];
  return steps.map((_, i) => lineOf(['steps', i]));
}

function checked(file: string, isScenario: boolean): { readonly key: string; readonly source: Source } {
  const text = readFileSync(file, 'utf8');
  const folders = defaultFolders(packageRoot());
  const source = parseSource(file, text);
  if (isProblems(source)) throw new Error(source.problems.map(showProblem).join('\n'));
  const loaded = runToEnd<Loaded | BuiltFixture | Problems>(
    isScenario ? scenarioFrom(source, '', folders) : buildingFixture(source, folders),
  );
  if (isProblems(loaded)) throw new Error(loaded.problems.map(showProblem).join('\n'));
  return { key: textHash(text), source };
}
