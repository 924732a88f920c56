// What a test needs of its machine. Where it is missing, the test is skipped with a line that says so.
import { spawnSync } from 'node:child_process';

/** Whether a machine has what a test needs. Throws in CI if not: there, every machine can have it. `lack` in words: "there is no …". */
export function hasDue(isThere: boolean, lack: string): boolean {
  if (!isThere && process.env.CI === 'true') throw new Error(lack);
  return hasByChance(isThere, lack);
}

/** Whether a machine has what may be missing in CI too. The test's subject must then be tested in another way as well. */
export function hasByChance(isThere: boolean, lack: string): boolean {
  if (!isThere) process.stderr.write(`skipped: ${lack}\n`);
  return isThere;
}

/** Whether there is a program that no test requires. */
export function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Whether there is a program; `from` is the Debian package that has it. Throws in CI if there is none. */
export function hasProgram(program: string, from: string): boolean {
  return hasDue(isThere(program), `there is no ${program}: install the Debian package ${from}`);
}
