// Opens the dashboard in the browser of the user.
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Environment } from '../command-process.js';
import type { Running } from '../start.js';

/** The program that opens a URL, by platform; `BROWSER` wins. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** If no browser can be opened, the server goes on and prints the address. The token is in the fragment, which no request carries. */
export function openDashboard(
  { url, controlToken }: Pick<Running, 'url' | 'controlToken'>,
  write: (line: string) => void,
  { BROWSER: browser }: Environment,
): void {
  const address = `${url}/_fake/ui/`;
  const [program, ...args] = browser ? [browser] : (openers[platform()] ?? ['xdg-open']);
  const failed = () => write(`cannot open a browser with ${program}: open ${address} yourself`);
  const token = controlToken === undefined ? '' : `#token=${encodeURIComponent(controlToken)}`;
  const opener = spawn(program, [...args, `${address}${token}`], { stdio: 'ignore', detached: true });
  opener.once('error', failed).once('exit', code => (code === 0 || code === null ? undefined : failed()));
  opener.unref();
}
