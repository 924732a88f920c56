// A page as a newcomer follows it: a folder with its files, a fresh fake, and a shell.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { cli, packageFolder } from '../support/processes/built.js';
import { launch, run } from '../support/processes/commands.js';
import { commandsIn, filesIn, type Page } from './markdown.js';

/** The address on the pages. */
const SHOWN_PORT = '8080';

export interface Followed {
  readonly folder: Scratch;
  /** The first line of its fake. */
  readonly ready: string | undefined;
  run(command: string, more?: Readonly<Record<string, string>>): Promise<string>;
  end(): Promise<void>;
}

/** Creates a folder and, if the page calls one, a fake of its own. */
export async function follow(page: Page): Promise<Followed> {
  const folder = scratch(filesIn(page.text));
  const bin = scratch({ 'cwx-fake': `#!/bin/sh\nexec node '${cli}' "$@"\n`, npx: '#!/bin/sh\nexec "$@"\n' });
  const fake = asksFake(page) ? await fakeFor(page, folder.path) : undefined;
  const port = fake?.port ?? SHOWN_PORT;
  await shell(`chmod +x ${bin.path}/*`, bin.path);
  return {
    folder,
    ready: fake?.ready,
    run: async (command, more = {}) => {
      const own = fake === undefined ? {} : { CWX_FAKE_URL: `http://127.0.0.1:${port}` };
      const env = { ...own, ...more, PATH: `${bin.path}:${process.env.PATH}` };
      const line = await withoutStart(command.replaceAll(SHOWN_PORT, port), folder.path, own, bin);
      return (await shell(line, folder.path, env)).replaceAll(port, SHOWN_PORT);
    },
    end: async () => {
      await fake?.stop();
      folder.drop();
      bin.drop();
    },
  };
}

/** The command line with cwx-fake, if it comes first, run inside this process, which is faster: the shell prints what that printed. */
async function withoutStart(command: string, cwd: string, env: Readonly<Record<string, string>>, to: Scratch) {
  const [, words, rest = ''] = /^(?:npx )?cwx-fake ((?:[^'"$|;&<>]|'[^']*')+?)( (?:[|;&>]|2>).*)?$/.exec(command) ?? [];
  if (words === undefined) return command;
  const args = words.match(/(?:[^' ]|'[^']*')+/g)?.map(word => word.replaceAll("'", '')) ?? [];
  const { code, stdout, stderr } = await run(args, { cwd, env });
  to.write('stdout', stdout);
  to.write('stderr', stderr);
  return `ran() { cat ${to.path}/stdout; cat ${to.path}/stderr >&2; return ${code}; }; ran${rest}`;
}

function asksFake(page: Page): boolean {
  return commandsIn(page.text).some(({ command }) => command.includes(`127.0.0.1:${SHOWN_PORT}`));
}

/** Started as the README says for a clone, and elsewhere inside this process, which is faster. */
async function fakeFor(page: Page, cwd: string) {
  if (page.path === 'README.md') return npmStart();
  const fake = await launch([], { cwd });
  return { ready: fake.stdout(), port: portOf(fake.url), stop: async () => void (await fake.signal('SIGTERM')) };
}

async function npmStart() {
  const server = spawn('npm', ['start'], {
    cwd: packageFolder,
    env: { ...process.env, CWX_FAKE_PORT: '0', CWX_FAKE_LOG: 'silent' },
    detached: true,
  });
  const ready = await readyLine(server.stdout);
  const stop = async () => {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
    await once(server, 'exit');
  };
  return { ready, port: portOf(ready), stop };
}

function portOf(text: string): string {
  return /:(\d+)\b/.exec(text)?.[1] ?? '';
}

/** The line of the server itself; npm prints its own before. */
async function readyLine(stdout: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stdout) {
    text += String(chunk);
    const line = /^cwx-fake listening.*(?=\n)/m.exec(text)?.[0];
    if (line !== undefined) return line;
  }
  throw new Error(`the server ended: ${text}`);
}

/** The output of a command line on standard output and error, in this order. */
export function shell(command: string, cwd: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise(resolve => {
    execFile('bash', ['-c', command], { cwd, env: { ...process.env, ...more } }, (_, stdout, stderr) =>
      resolve((stdout + stderr).replaceAll('\r', '')),
    );
  });
}

export const pathIn = (followed: Followed, file: string) => join(followed.folder.path, file);
