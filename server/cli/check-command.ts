// `cwx-fake check`: every problem of some scenario and fixture files at once.
import { resolve } from 'node:path';
import { writeLine } from '../process/command-process.js';
import { defaultFolders, isFolder, yamlFilesIn } from '../scenario/load/folders.js';
import { checkFile } from '../scenario/load/load.js';
import { problemWith, showProblem } from '../scenario/yaml/problem.js';
import { flagsOfServe } from '../settings.js';
import { type Command, exit } from './command.js';

const EMPTY = 'There is no scenario or fixture in this folder; its subfolders are not looked into.';

export const check: Command = {
  name: 'check',
  summary: 'Check scenario and fixture files; tells every problem at once, each with file, line and column.',
  usage: '<file or folder…>',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: flagsOfServe('fixtures', 'scenarios'),
  examples: [['cwx-fake check scenarios/ fixtures/', 'check all your files']],
  async run({ positionals, values }, process) {
    const { fixtures, scenarios } = values;
    const folders = defaultFolders(process.cwd(), {
      ...(typeof fixtures === 'string' && { fixtures }),
      ...(typeof scenarios === 'string' && { scenarios }),
    });
    const isEmpty = (path: string) => isFolder(path) && yamlFilesIn(path).length === 0;
    const empty = positionals.filter(isEmpty);
    const asked = positionals.flatMap(path => (isFolder(path) ? yamlFilesIn(path) : [path]));
    const checked = [...new Map(asked.map(file => [resolve(file), file])).values()];
    const problems = [
      ...empty.map(folder => problemWith(folder, EMPTY)),
      ...checked.flatMap(file => checkFile(file, folders)),
    ];
    for (const problem of problems) writeLine(process.stdout, showProblem(problem));
    const files = checked.length === 1 ? '1 file' : `${checked.length} files`;
    writeLine(
      process.stdout,
      problems.length === 0
        ? `${files} checked, no problem`
        : `${files} checked, ${problems.length} problem${problems.length === 1 ? '' : 's'}`,
    );
    return problems.length === 0 ? exit.held : exit.usage;
  },
};
