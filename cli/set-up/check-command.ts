// `cwx-fake check`: all errors in scenario and fixture files.

import { resolve } from 'node:path';
import { counted } from '../../server/derive/text/counted.js';
import { writeLine } from '../../server/process/command-process.js';
import { defaultFolders, isFolder, yamlFilesIn } from '../../server/scenario/files/folders.js';
import { checkFile } from '../../server/scenario/load/load.js';
import { problemWith, seenPath, showProblem } from '../../server/scenario/yaml/problem.js';
import { flagsOfServe, flagsOfServeMeaning } from '../../server/settings/serve-flags.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { type Command, exit } from '../command/command.js';

const EMPTY = 'This folder contains no scenario or fixture. Subfolders are not searched.';

export const check: Command = {
  name: 'check',
  summary: 'Check scenario and fixture files. Reports all errors, each with file, line and column.',
  usage: '<file or folder…>',
  flags: [
    { name: 'json', description: 'print the problems as JSON' },
    ...flagsOfServe('fixtures', 'scenarios'),
    ...flagsOfServeMeaning({
      'rest-api':
        "check the files for a fake that serves (on) or doesn't serve (off) the REST APIs of Confluence and Jira",
    }),
  ],
  examples: [['cwx-fake check scenarios/ fixtures/', 'check all your files']],
  async run({ positionals, values }, process) {
    const folders = defaultFolders(process.cwd(), settingsFrom(undefined, values));
    const isEmpty = (path: string) => isFolder(path) && yamlFilesIn(path).length === 0;
    const empty = positionals.filter(isEmpty);
    const asked = positionals.flatMap(path => (isFolder(path) ? yamlFilesIn(path) : [path]));
    const checked = [...new Map(asked.map(file => [resolve(file), file])).values()];
    const problems = [
      ...empty.map(folder => problemWith(folder, EMPTY)),
      ...checked.flatMap(file => checkFile(file, folders)),
    ];
    const found = problems.length === 0 ? 'no problems' : counted(problems.length, 'problem');
    const lines = [...problems.map(showProblem), `${counted(checked.length, 'file')} checked, ${found}`];
    const json = {
      files: checked.length,
      problems: problems.map(({ file, ...problem }) => ({ file: seenPath(file), ...problem })),
    };
    writeLine(process.stdout, values.json === true ? JSON.stringify(json, null, 2) : lines.join('\n'));
    return problems.length === 0 ? exit.passed : exit.usage;
  },
};
