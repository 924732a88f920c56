// A program of a test in a process of its own.
import { execFile } from 'node:child_process';
import { packageFolder } from '../support/processes/built.js';

/** The output of a program (a module in the root of the repository), which must exit by itself. */
export function outputOf(program: string): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: packageFolder, timeout: 100_000 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`it did not end by itself: ${error.message}\n${stderr}`)),
    );
  });
}
