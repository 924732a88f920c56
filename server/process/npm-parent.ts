// Ends a server that npm started when npm ends: npm passes no signals on, so the server would stay behind.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Environment } from './command-process.js';

const SHELL = /^-?(\S*\/)?(sh|bash|dash|zsh|ash|busybox)\b/;
const PACKAGE_MANAGER = /(^|[\s/])(npm|npx|pnpm|pnpx|yarn)(-cli)?(\.[cm]?js)?(\s|$)/;
const INTERVAL_MS = 500;
/** A script is run by a shell, which may be run by another one. */
const MAX_SHELLS = 3;

/** Calls `end` once the npm that started this process is gone. Returns a function that stops watching. */
export function whenNpmEnds({ npm_execpath, npm_lifecycle_event }: Environment, end: () => void): () => void {
  if (npm_execpath === undefined && npm_lifecycle_event === undefined) return () => {};
  const npm = startedBy(); // at once, before anyone can know that the server listens
  if (npm === undefined) return () => {};
  const timer = setInterval(() => {
    if (commandOf(npm) !== undefined) return;
    clearInterval(timer);
    end();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The nearest process above that is no shell, if it is a package manager. */
function startedBy(): number | undefined {
  let pid = process.ppid;
  for (let shells = 0; shells <= MAX_SHELLS; shells += 1) {
    const found = commandOf(pid);
    if (found === undefined) return undefined;
    if (!SHELL.test(found.command)) return PACKAGE_MANAGER.test(found.command) ? pid : undefined;
    pid = found.parent;
  }
  return undefined;
}

interface Found {
  readonly parent: number;
  readonly command: string;
}

/** A process that runs; `undefined` if it has ended, an empty command if it cannot be looked up. Slim images have no `ps`, and macOS has no /proc. */
function commandOf(pid: number): Found | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? undefined : { parent: Number(parent), command: line.replaceAll('\0', ' ').trim() };
    }
    const stdout = execFileSync('ps', ['-o', 'ppid=,stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, state = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/s.exec(stdout) ?? [];
    return state.startsWith('Z') ? undefined : { parent: Number(parent), command: command.trim() };
  } catch (error) {
    const { code, status } = error as NodeJS.ErrnoException & { readonly status?: number };
    // For `ps`, ENOENT means that it is not installed.
    const gone = process.platform === 'linux' ? code === 'ENOENT' || code === 'ESRCH' : status === 1;
    if (gone) return undefined;
    return { parent: 0, command: '' }; // cannot be known, for instance without `ps`
  }
}
