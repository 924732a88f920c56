// Opens the dashboard in the browser of whoever started the server.
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Environment } from '../../process/command-process.js';
import type { Running } from '../../process/start.js';

/** The program that opens an address, by platform; `BROWSER` takes its place. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A server goes on where none can be opened: the address is then written for people to open. The token is in the part that no request carries. */
export function openDashboard(
  { url, controlToken }: Pick<Running, 'url' | 'controlToken'>,
  write: (line: string) => void,
  { BROWSER: browser }: Environment,
): void {
  const address = `${url}/_fake/ui/`;
  const [program, ...args] = browser ? [browser] : (openers[platform()] ?? ['xdg-open']);
  const failed = () => write(`no browser could be opened with ${program}: open ${address}`);
  const token = controlToken === undefined ? '' : `#token=${encodeURIComponent(controlToken)}`;
  const opener = spawn(program, [...args, `${address}${token}`], { stdio: 'ignore', detached: true });
  opener.once('error', failed).once('exit', code => (code === 0 || code === null ? undefined : failed()));
  opener.unref();
}
