// How long somebody else waits while one request is served that is as large as the defaults accept it.
import { Agent, request } from 'node:http';
import { watch } from '../harness/bystander.js';
import { start } from '../harness/child.js';
import { authorization } from '../harness/load.js';
import type { Effort } from '../harness/rounds.js';
import { mebibytes } from '../harness/statistics.js';
import type { Table } from '../harness/table.js';
import { actionStalls } from '../stalls/actions.js';
import type { Asked, Stall } from '../stalls/asked.js';
import { operationStalls } from '../stalls/operations.js';
import { writeWorlds } from '../stalls/worlds.js';

/** Nobody should wait longer for somebody else's request, in milliseconds. */
const BOUND = 250;

interface Measured {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly waited: number;
}

export async function stalls({ say, rounds }: Effort): Promise<Table> {
  const flags = writeWorlds();
  const rows: string[][] = [];
  for (const stall of [...operationStalls, ...actionStalls].filter(({ name }) =>
    name.includes(process.env.STALLS ?? ''),
  )) {
    let best: Measured | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const one = await measure(stall, flags);
      if (best === undefined || one.waited < best.waited) best = one;
    }
    const { status, ms, bytes, waited } = best ?? { status: 0, ms: 0, bytes: 0, waited: 0 };
    const shown = waited > BOUND ? `**${waited.toFixed(0)}**` : waited.toFixed(0);
    say(`${stall.name}: ${status}, ${ms.toFixed(0)} ms, ${mebibytes(bytes)}, others waited ${waited.toFixed(0)} ms`);
    rows.push([stall.name, String(status), ms.toFixed(0), mebibytes(bytes), shown]);
  }
  return {
    title: 'What others wait for',
    note: `One request on a fresh server, the least of ${rounds} rounds; somebody else asks for the readings of a small sandbox every 2 ms. Beyond ${BOUND} ms in bold.`,
    columns: ['request', 'status', 'answered after ms', 'answer', 'others waited at most ms'],
    rows,
  };
}

async function measure({ world, before = [], asked }: Stall, flags: readonly string[]): Promise<Measured> {
  const server = await start({ script: 'server/cli.js', args: ['serve', '--port', '0', '--log', 'silent', ...flags] });
  try {
    await send(server.url, { method: 'POST', path: '/_fake/v1/sandboxes', body: { name: 's', scenario: world } }, 201);
    for (const one of before) await send(server.url, one);
    const bystander = await watch(server.url, '/_fake/v1/sandboxes/other/readings');
    await new Promise(resolve => setTimeout(resolve, 100));
    const began = performance.now();
    const { status, bytes } = await send(server.url, asked);
    const ms = performance.now() - began;
    return { status, ms, bytes, waited: await bystander.stop() };
  } finally {
    await server.stop();
  }
}

function send(
  url: string,
  { method, path, body, headers }: Asked,
  due?: number,
): Promise<{ status: number; bytes: number }> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const place = path.startsWith('/rest') ? `${url}/~s${path}` : `${url}${path}`;
  const about =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sending = request(
      place,
      { method, agent: new Agent(), headers: { authorization, ...about, ...headers } },
      answer => {
        let bytes = 0;
        let said = '';
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (said.length < 500) said += chunk.toString();
        });
        answer.once('error', reject).once('end', () => {
          const { statusCode: status = 0 } = answer;
          if (process.env.STALLS_SAY) console.error(status, said.slice(0, 500));
          if (due !== undefined && status !== due) reject(new Error(`${method} ${path}: ${status} ${said}`));
          else resolve({ status, bytes });
        });
      },
    );
    sending.once('error', reject).end(text);
  });
}
