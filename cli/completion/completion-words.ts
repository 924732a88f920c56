// The completions of the last word of a command line, from the help, the ledger and the folders of scenarios.

import { operations, rules } from '../../server/operations/catalog/catalog.js';
import { gapIds, readingNames } from '../../server/operations/gaps/gaps.js';
import { defaultFolders } from '../../server/scenario/files/folders.js';
import { formatSchemas } from '../../server/scenario/format/format.js';
import { listScenarios } from '../../server/scenario/load/load.js';
import type { Flag } from '../../server/settings/serve-flags.js';
import type { Command } from '../command/command.js';
import { wordsAfter } from '../running-fake/running-fake-commands.js';

/** `words`: those after `cwx-fake`; the last one is unfinished and may be empty. */
export function candidates(words: readonly string[], commands: readonly Command[], cwd: string): string[] {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const named = commands.find(({ name }) => name === before[0]);
  const command = named ?? commands.find(({ name }) => name === 'serve');
  if (command === undefined || before.includes('--')) return [];
  const previous = command.flags.find(({ name, value }) => value !== undefined && before.at(-1) === `--${name}`);
  const names =
    named === undefined && before.length === 0
      ? [...commands.map(({ name }) => name), ...positionals('serve', commands, cwd)]
      : positionals(command.name, commands, cwd);
  const all =
    previous !== undefined
      ? valuesOf(previous, current, cwd)
      : current.startsWith('-')
        ? [...command.flags.map(({ name }) => `--${name}`), '--help']
        : names;
  return all.filter(word => word.startsWith(current));
}

function positionals(command: string, commands: readonly Command[], cwd: string): string[] {
  if (command === 'serve' || command === 'play') return scenarios(cwd);
  if (command === 'schema') return [...Object.keys(formatSchemas), 'verification'];
  if (command === 'guide') return operations.map(({ id }) => id);
  if (command === 'ledger') return [...Object.keys(rules), ...gapIds];
  if (command === 'completion') return ['bash', 'zsh', 'fish'];
  return command === 'help' ? commands.map(({ name }) => name) : wordsAfter(command);
}

/** Values of a flag; empty if the shell knows better, as for files. */
function valuesOf({ name, value = '' }: Flag, current: string, cwd: string): string[] {
  if (name === 'reading') return readings(current);
  if (name === 'only') return [...gapIds];
  if (name === 'scenario') return scenarios(cwd);
  return /^[a-z]+(\|[a-z]+)+$/.test(value) ? value.split('|') : [];
}

/** Gaps first; the readings of a gap once its name is complete. */
function readings(current: string): string[] {
  const gap = gapIds.find(id => current.startsWith(`${id}=`));
  return gap === undefined ? gapIds.map(id => `${id}=`) : readingNames(gap).map(reading => `${gap}=${reading}`);
}

function scenarios(cwd: string): string[] {
  return listScenarios(defaultFolders(cwd)).map(({ name }) => name);
}
