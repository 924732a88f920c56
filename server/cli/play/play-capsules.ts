// Runs `cwx-fake play` with capsules: replays the requests of each sandbox in this process and compares the answers.

import { readFileSync } from 'node:fs';
import { counted } from '../../derive/text/counted.js';
import { visible } from '../../derive/text/visible.js';
import { urlWithin } from '../../engine/journal/replay-entry.js';
import { type Process, writeLine } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import type { Capsule } from '../../scenario/recording/capsule-format.js';
import { firstDifference } from '../../scenario/recording/compare.js';
import { readCapsule } from '../../scenario/recording/read-capsule.js';
import { replay, Unplayable, worldOf } from '../../scenario/recording/replay.js';
import { readFailure } from '../../scenario/yaml/text.js';
import type { FlagValues } from '../../settings.js';
import { type ExitCode, exit, failAs } from '../command.js';

export function isCapsule(name: string): boolean {
  return name.endsWith('.json');
}

export function runCapsules(files: readonly string[], values: FlagValues, process: Process): ExitCode {
  const other = files.find(file => !isCapsule(file));
  if (other !== undefined)
    return failAs('play', process, exit.usage, [`${other} is not a capsule: play scenarios and capsules separately.`]);
  const [flag] = Object.keys(values);
  if (flag !== undefined)
    return failAs('play', process, exit.usage, [
      `--${flag} is for scenarios only: a capsule is always replayed in this process.`,
    ]);
  const read = files.map(file => ({ file, ...readFile(file) }));
  const errors = read.flatMap(one => ('errors' in one ? one.errors.map(error => `${one.file}: ${error}`) : []));
  if (errors.length > 0) return failAs('play', process, exit.usage, errors);
  const counts = read.map(one => ('capsule' in one ? play(one.file, one.capsule, process) : 'unplayable'));
  if (counts.includes('unplayable')) return exit.usage;
  if (counts.includes('differs')) return exit.failed;
  return counts.includes('empty') ? exit.empty : exit.passed;
}

function readFile(file: string): ReturnType<typeof readCapsule> {
  try {
    return readCapsule(readFileSync(file, 'utf8'));
  } catch (error) {
    return { errors: [readFailure(error)] };
  }
}

function play(
  file: string,
  capsule: Capsule,
  { stdout, stderr }: Process,
): 'same' | 'differs' | 'empty' | 'unplayable' {
  const say = (line: string) => writeLine(stdout, visible(line));
  const { sandbox, scenario, version, entries, earlier } = capsule;
  say(`${file}: the sandbox ${sandbox} of the scenario ${scenario}, ${counted(entries.length, 'request')}`);
  if (version !== packageVersion()) say(`  recorded by cwx-fake ${version}; this is ${packageVersion()}`);
  if (earlier > 0) say(`  without ${earlier} earlier requests, which were discarded`);
  const world = worldOf(capsule);
  if (world === undefined) return 'unplayable'; // reported when it was read
  try {
    for (const replayed of replay(capsule, world)) {
      const difference = firstDifference(replayed);
      if (difference === undefined) continue;
      const { entry } = replayed;
      say(`  entry ${entry.id}, ${entry.method} ${urlWithin(entry)}, has another answer:`);
      for (const line of difference) say(`    ${line}`);
      return 'differs';
    }
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    writeLine(stderr, `cwx-fake play: ${file}: ${visible(error.message)}`);
    return 'unplayable';
  }
  say(entries.length === 0 ? '  no requests' : '  all answers are identical');
  return entries.length === 0 ? 'empty' : 'same';
}
