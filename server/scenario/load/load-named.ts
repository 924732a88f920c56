// Loads the scenarios that a user names by names, files and folders, or reports all errors.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Folders, findNamed, isFolder, isName, namesBeside, yamlFilesIn } from '../files/folders.js';
import { isProblems, type Problem, type Problems, problemWith, seenPath, sortedProblems } from '../yaml/problem.js';
import { loadScenario } from './load.js';
import type { Loaded } from './load-scenario.js';

/** A scenario with the name it was requested by: other commands accept the same name. */
export interface NamedScenario {
  readonly name: string;
  readonly loaded: Loaded;
}

/** Loads all in order, each file once. A folder stands for its scenarios, without subfolders. */
export function loadScenarios(asked: readonly string[], folders: Folders): readonly NamedScenario[] | Problems {
  const problems: Problem[] = [];
  const meant = new Map<string, NamedScenario>();
  for (const name of asked.flatMap(text => namesOf(text, folders, problems))) {
    const loaded = loadScenario(name, folders);
    if (isProblems(loaded)) problems.push(...loaded.problems.map(problem => withFileHere(name, folders, problem)));
    else {
      const [file = name] = loaded.files;
      if (!meant.has(file)) meant.set(file, { name, loaded });
    }
  }
  return problems.length > 0 ? { problems: sortedProblems(problems) } : [...meant.values()];
}

/** A scenario wins over a folder of the same name. */
function namesOf(text: string, folders: Folders, problems: Problem[]): readonly string[] {
  if (isKnown(text, folders)) return [text];
  if (isFolder(text)) {
    const files = yamlFilesIn(text);
    if (files.length === 0)
      problems.push(problemWith(text, 'This folder contains no scenario. Subfolders are not searched.'));
    return files.map(file => seenPath(resolve(file)));
  }
  const names = isName(text) ? namesBeside(`${text}/any`, folders.scenarios) : []; // such as rules, for scenarios/rules
  return names.length > 0 ? names : [text];
}

function isKnown(text: string, { scenarios, fixtures }: Folders): boolean {
  return isName(text) && 'file' in findNamed(text, [...scenarios, ...fixtures]);
}

/** Advice if a name is unknown but a file of this name exists here. */
function withFileHere(name: string, folders: Folders, problem: Problem): Problem {
  const file = [`${name}.yaml`, `${name}.yml`].find(path => existsSync(path));
  if (file === undefined || !isName(name) || isKnown(name, folders)) return problem;
  const [first = 'scenarios', shipped] = folders.scenarios;
  const own = shipped === undefined ? './scenarios' : seenPath(first).replace(/^(?=\w)/, './');
  return {
    ...problem,
    message: `${problem.message} There is a file ${file}: run cwx-fake play ${file}, or move it into ${own}.`,
  };
}
