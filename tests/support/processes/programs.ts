// Programs of the system that a test stands on. Where one is not there its test is skipped with a line that says so; in CI it has to be there.
import { spawnSync } from 'node:child_process';

/** Whether there is a program, which nothing stands on. */
export function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Whether there is a program; `from` is the Debian package that has it. Throws in CI where there is none. */
export function hasProgram(program: string, from: string): boolean {
  if (isThere(program)) return true;
  const says = `there is no ${program}: install the Debian package ${from}`;
  if (process.env.CI === 'true') throw new Error(says);
  process.stderr.write(`skipped: ${says}\n`);
  return false;
}
