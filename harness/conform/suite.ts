// The suite: the files in scenarios/rules about the wanted rules.
import { nearest } from '../../server/engine/nearest.js';
import { rules } from '../../server/operations/catalog/catalog.js';
import { type Folders, namesBeside } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { isProblems, type Problems, sortedProblems } from '../../server/scenario/yaml/problem.js';

export const ruleIds: readonly string[] = Object.keys(rules);

/** The rules for a word: one by its id, or all with a prefix such as `groups.*`; or the error. */
export function rulesMeant(word: string): readonly string[] | { readonly problem: string } {
  if (ruleIds.includes(word)) return [word];
  const prefix = word.endsWith('*') ? word.slice(0, -1) : undefined;
  const meant = prefix === undefined ? [] : ruleIds.filter(id => id.startsWith(prefix));
  if (meant.length > 0) return meant;
  const families = [...new Set(ruleIds.map(id => `${id.split('.')[0]}.*`))];
  return {
    problem: `there is no such rule${nearest(word, [...ruleIds, ...families]) || '; cwx-fake ledger lists all rules'}`,
  };
}

/** The files about some of these rules. */
export function suiteFor(wanted: readonly string[], folders: Folders): readonly Loaded[] | Problems {
  const loaded = namesBeside('rules/any', folders.scenarios).map(name => loadNamed(name, folders));
  const problems = loaded.flatMap(one => (isProblems(one) ? one.problems : []));
  if (problems.length > 0) return { problems: sortedProblems(problems) };
  const files = loaded.flatMap(one => (isProblems(one) ? [] : [one]));
  return files
    .filter(({ steps }) => steps.some(({ proves = [] }) => proves.some(rule => wanted.includes(rule))))
    .map(untilLastProof);
}

/** Without the steps after the last proof: they clean up, which the run does itself. */
function untilLastProof(loaded: Loaded): Loaded {
  const last = loaded.steps.findLastIndex(({ proves = [] }) => proves.length > 0);
  return { ...loaded, steps: loaded.steps.slice(0, last + 1) };
}
