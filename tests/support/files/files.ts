// A directory of fixtures and scenarios for one test, gone after it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultFolders, type Folders } from '../../../server/scenario/files/folders.js';
import { checkFile, loadScenario } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { isProblems, type Problem } from '../../../server/scenario/yaml/problem.js';

export interface Written {
  readonly root: string;
  readonly folders: Folders;
  /** The problems of a file, as people see them, without the directory. */
  check(file: string): string[];
  problems(file: string): readonly Problem[];
  load(name: string): Loaded;
  remove(): void;
}

export function written(files: Readonly<Record<string, string>>): Written {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cwx-fake-')));
  for (const folder of ['fixtures', 'scenarios']) mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const folders = defaultFolders(root);
  return {
    root,
    folders,
    problems: file => checkFile(join(root, file), folders),
    check: file =>
      checkFile(join(root, file), folders).map(
        ({ file: where, line, column, message }) => `${where.replace(`${root}/`, '')}:${line}:${column}: ${message}`,
      ),
    load: name => {
      const loaded = loadScenario(name, folders);
      if (isProblems(loaded)) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
      return loaded;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The problems of one file beside others, as `line:column: message`; those of other files begin with their paths. */
export function problemsIn(
  file: string,
  text: string | readonly string[],
  others: Readonly<Record<string, string>> = {},
): string[] {
  const files = written({ [file]: typeof text === 'string' ? text : text.join('\n'), ...others });
  try {
    return files.check(file).map(problem => problem.replace(`${file}:`, ''));
  } finally {
    files.remove();
  }
}

/** Where problems are, each with the name that it suggests. Messages are tested once, in typo-hints.test.ts. */
export function places(problems: readonly string[]): string {
  return problems
    .map(problem => {
      const [place] = problem.split(': ', 1);
      const [, meant] = /\(did you mean "(.*?)"\?\)/.exec(problem) ?? [];
      return meant === undefined ? place : `${place} ${meant}`;
    })
    .join(', ');
}
