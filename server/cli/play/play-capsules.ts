// Runs `cwx-fake play` with capsules: what each sandbox was asked is performed again in this process, and each answer compared.
import { readFileSync } from 'node:fs';
import { visible } from '../../derive/text/visible.js';
import { urlWithin } from '../../engine/journal/replay-entry.js';
import { type Process, writeLine, writeLines } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import type { Capsule } from '../../scenario/recording/capsule-format.js';
import { firstDifference } from '../../scenario/recording/compare.js';
import { readCapsule } from '../../scenario/recording/read-capsule.js';
import { replay, Unplayable, worldOf } from '../../scenario/recording/replay.js';
import type { FlagValues } from '../../settings.js';
import { type ExitCode, exit } from '../command.js';

export function isCapsule(name: string): boolean {
  return name.endsWith('.json');
}

export function runCapsules(files: readonly string[], values: FlagValues, process: Process): ExitCode {
  const other = files.find(file => !isCapsule(file));
  if (other !== undefined) return fail(process, [`${other} is no capsule: play scenarios and capsules apart.`]);
  const [flag] = Object.keys(values);
  if (flag !== undefined)
    return fail(process, [`--${flag} is for scenarios: a capsule is performed in this process, as it was.`]);
  const read = files.map(file => ({ file, ...readFile(file) }));
  const mistakes = read.flatMap(one =>
    'mistakes' in one ? one.mistakes.map(mistake => `${one.file}: ${mistake}`) : [],
  );
  if (mistakes.length > 0) return fail(process, mistakes);
  const counts = read.map(one => ('capsule' in one ? play(one.file, one.capsule, process) : 'unplayable'));
  if (counts.includes('unplayable')) return exit.usage;
  if (counts.includes('differs')) return exit.failed;
  return counts.includes('empty') ? exit.empty : exit.held;
}

function readFile(file: string): ReturnType<typeof readCapsule> {
  try {
    return readCapsule(readFileSync(file, 'utf8'));
  } catch (error) {
    return { mistakes: [`It cannot be read: ${(error as Error).message}.`] };
  }
}

function play(
  file: string,
  capsule: Capsule,
  { stdout, stderr }: Process,
): 'same' | 'differs' | 'empty' | 'unplayable' {
  const say = (line: string) => writeLine(stdout, visible(line));
  const { sandbox, scenario, version, entries, earlier } = capsule;
  say(
    `${file}: the sandbox ${sandbox} of the scenario ${scenario}, ${entries.length === 1 ? '1 request' : `${entries.length} requests`}`,
  );
  if (version !== packageVersion()) say(`  made by cwx-fake ${version}, and this is ${packageVersion()}`);
  if (earlier > 0) say(`  without ${earlier} earlier ones, which had been let go`);
  const world = worldOf(capsule);
  if (world === undefined) return 'unplayable'; // told when it was read
  try {
    for (const replayed of replay(capsule, world)) {
      const difference = firstDifference(replayed);
      if (difference === undefined) continue;
      const { entry } = replayed;
      say(`  entry ${entry.id}, ${entry.method} ${urlWithin(entry)}, is answered otherwise:`);
      for (const line of difference) say(`    ${line}`);
      return 'differs';
    }
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    writeLine(stderr, `cwx-fake play: ${file}: ${visible(error.message)}`);
    return 'unplayable';
  }
  say(entries.length === 0 ? '  nothing was asked' : '  every answer is the same, byte for byte');
  return entries.length === 0 ? 'empty' : 'same';
}

function fail({ stderr }: Process, lines: readonly string[]): ExitCode {
  writeLines(
    stderr,
    lines.map(line => `cwx-fake play: ${visible(line)}`),
  );
  return exit.usage;
}
