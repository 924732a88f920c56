// `cwx-fake check`: every problem of some scenario and fixture files at once.
import { defaultFolders } from '../scenario/folders.js';
import { checkFile } from '../scenario/load.js';
import { showProblem } from '../scenario/problem.js';
import { serveFlags } from '../settings.js';
import { type Command, exit } from './command.js';

export const check: Command = {
  name: 'check',
  summary: 'Check scenario and fixture files; tells every problem at once, each with file, line and column.',
  takes: '<file…>',
  least: 1,
  most: Number.POSITIVE_INFINITY,
  flags: serveFlags.filter(({ name }) => name === 'fixtures' || name === 'scenarios'),
  examples: [['cwx-fake check scenarios/*.yaml fixtures/*.yaml', 'check all your files']],
  async run({ positionals, values }) {
    const { fixtures, scenarios } = values;
    const folders = defaultFolders(process.cwd(), {
      ...(typeof fixtures === 'string' && { fixtures }),
      ...(typeof scenarios === 'string' && { scenarios }),
    });
    const problems = positionals.flatMap(file => checkFile(file, folders));
    for (const problem of problems) process.stdout.write(`${showProblem(problem)}\n`);
    const files = positionals.length === 1 ? '1 file' : `${positionals.length} files`;
    process.stdout.write(
      problems.length === 0
        ? `${files} checked, no problem\n`
        : `${files} checked, ${problems.length} problem${problems.length === 1 ? '' : 's'}\n`,
    );
    return problems.length === 0 ? exit.held : exit.usage;
  },
};
