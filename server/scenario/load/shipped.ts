// Makes the list of shipped files that need no second check: the fixtures and the scenarios that are listed, each held against its whole format here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../domain/form/patch.js';
import type { JsonSchema } from '../../operations/schema.js';
import { shapeByParts } from '../checks/schema-problems.js';
import { extendingSchema, ownSchema } from '../format/fixture-format.js';
import { scenarioSchema } from '../format/scenario-format.js';
import { isProblems, showProblem } from '../yaml/problem.js';
import { parseSource } from '../yaml/source.js';
import { keyOf } from './checked.js';
import { namesBeside, packageRoot } from './folders.js';

/** The value of each file by what its text is known by. Throws where one does not fit its format. */
export function checkedFiles(): Readonly<Record<string, unknown>> {
  const root = packageRoot();
  const filesOf = (kind: string) => namesBeside('', [join(root, kind)]).map(name => join(root, kind, `${name}.yaml`));
  const [fixtures, scenarios] = [filesOf('fixtures'), filesOf('scenarios')];
  return Object.fromEntries([...fixtures, ...scenarios].map(file => checked(file, scenarios.includes(file))));
}

function checked(file: string, isScenario: boolean): readonly [key: string, value: unknown] {
  const text = readFileSync(file, 'utf8');
  const source = parseSource(file, text);
  const problems = isProblems(source)
    ? source.problems
    : [...source.slips, ...shapeByParts(schemaOf(source.value, isScenario), source.value).flaws.map(source.problem)];
  if (isProblems(source) || problems.length > 0) throw new Error(problems.map(showProblem).join('\n'));
  return [keyOf(text), source.value];
}

function schemaOf(value: unknown, isScenario: boolean): JsonSchema {
  if (isScenario) return scenarioSchema;
  return isObject(value) && Object.hasOwn(value, 'extends') ? extendingSchema : ownSchema;
}
