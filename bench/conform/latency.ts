// How long a whole run of conform takes, on loopback and on a server that is `DELAY_MS` away there and back, and how many requests it asks there: with
// one request at a time and with several, one after the other in one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));
const DELAY_MS = Number(process.env.DELAY_MS ?? 30);

interface Far {
  readonly url: string;
  readonly asked: () => number;
  close(): void;
}

async function far(url: string, delay: number): Promise<Far> {
  const { hostname, port } = new URL(url);
  let asked = 0;
  const server: Server = createServer((incoming, outgoing) => {
    asked += 1;
    const { method, url: path, headers } = incoming;
    const pass = () =>
      incoming.pipe(
        request({ hostname, port, method, path, headers }, answer => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        }),
      );
    setTimeout(pass, delay);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  return { url: `http://127.0.0.1:${own}`, asked: () => asked, close: () => server.close() };
}

async function measure(delay: number, flags: readonly string[]): Promise<string> {
  const fake = spawn(process.execPath, [
    cli,
    'serve',
    '--port',
    '0',
    '--log',
    'silent',
    '--no-explain',
    '--control',
    'off',
  ]);
  const [line] = await once(fake.stdout, 'data');
  const own = /http:\S+/.exec(String(line))?.[0] ?? '';
  const between = delay === 0 ? undefined : await far(own, delay);
  const url = between?.url ?? own;
  const began = performance.now();
  const child = spawn(process.execPath, [cli, 'conform', '--target', url, '--yes', ...flags], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - began) / 1000;
  between?.close();
  fake.kill();
  const asked = between === undefined ? '' : `${between.asked()} requests, `;
  return `${delay} ms away, ${flags.join(' ') || 'as usual'}: ${asked}${seconds.toFixed(1)} s, ends with ${code}`;
}

for (const delay of [0, DELAY_MS]) for (const flags of [['--jobs', '1'], []]) console.log(await measure(delay, flags));
