#!/usr/bin/env node
// The program: runs the command line in this process, and ends with its exit code.
import { exit } from './command/command.js';
import { main } from './main.js';

/** The reader may stop early, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`cwx-fake: The output cannot be written: ${error.message}.\n`);
  process.exit(exit.usage);
});
process.stderr.on('error', () => {}); // a full disk, or a reader that left, must not end a server
try {
  process.cwd();
} catch {
  process.stderr.write('cwx-fake: The current folder no longer exists. Change to another one.\n');
  process.exit(exit.usage);
}
void main(process.argv.slice(2), process).then(code => {
  process.exitCode = code;
});
