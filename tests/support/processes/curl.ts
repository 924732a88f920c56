// curl as a child process, run to its end.
import { spawn } from 'node:child_process';

/** Runs curl without the settings and proxies of whoever runs the tests. `code`: what it ends with, such as 52 where nothing came back. */
export function curlBare(
  args: readonly string[],
  input: string | Buffer = '',
): Promise<{ stdout: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['-q', '--noproxy', '*', '--max-time', '25', ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout: Buffer.concat(chunks).toString() }));
    child.stdin.on('error', () => {}); // curl may have its response before it has read all
    child.stdin.end(input);
  });
}
