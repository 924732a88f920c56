// How long somebody else waits while one request is served that is as large as the defaults accept it.
import { Agent, request } from 'node:http';
import { mebibytes } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { watch } from '../harness/bystander.js';
import { start } from '../harness/child.js';
import { authorization } from '../harness/load.js';
import type { Effort } from '../harness/rounds.js';
import { actionStalls } from '../stalls/actions.js';
import type { Asked, Stall } from '../stalls/asked.js';
import { operationStalls } from '../stalls/operations.js';
import { writeWorlds } from '../stalls/worlds.js';

/** Nobody should wait longer for somebody else's request, in milliseconds. */
const BOUND = 250;
/** Longer responses are not waited for, in milliseconds. */
const LONGEST = 30_000;

interface Measured {
  readonly status: string;
  readonly ms: number;
  readonly bytes: number;
  /** Processor time of the server meanwhile, in milliseconds. */
  readonly cpu: number;
  readonly waited: number;
}

export async function stalls({ say, rounds, rows: wanted }: Effort): Promise<Table> {
  const flags = writeWorlds();
  const rows: string[][] = [];
  for (const stall of [...operationStalls, ...actionStalls].filter(({ name }) => name.includes(wanted))) {
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await measure(stall, flags));
    const { status, ms, cpu, bytes, waited } = measured.reduce((best, one) => (one.waited < best.waited ? one : best));
    const cells = [status, ms.toFixed(0), cpu.toFixed(0), mebibytes(bytes)];
    say(`${stall.name}: ${cells.join(', ')}, others waited ${waited.toFixed(0)} ms`);
    rows.push([stall.name, ...cells, waited > BOUND ? `**${waited.toFixed(0)}**` : waited.toFixed(0)]);
  }
  return {
    title: 'What others wait for',
    note: `One request on a fresh server, the best of ${rounds} rounds; somebody else asks for the readings of a small sandbox every 2 ms. Beyond ${BOUND} ms in bold.`,
    columns: ['request', 'status', 'answered after ms', 'CPU ms', 'response', 'others waited at most ms'],
    rows,
  };
}

async function measure({ world, before = [], asked }: Stall, flags: readonly string[]): Promise<Measured> {
  const server = await start({ script: 'server/cli.js', args: ['serve', '--port', '0', '--log', 'silent', ...flags] });
  try {
    const made = await send(server.url, {
      method: 'POST',
      path: '/_fake/v1/sandboxes',
      body: { name: 's', scenario: world },
    });
    if (made.status !== '201') throw new Error(`the sandbox of ${world} is not made: ${made.status} ${made.start}`);
    for (const one of before) await send(server.url, one);
    const bystander = await watch(server.url, '/_fake/v1/sandboxes/other/readings');
    await new Promise(resolve => setTimeout(resolve, 100));
    const { cpu } = await server.usage();
    const began = performance.now();
    const { status, bytes } = await send(server.url, asked);
    const ms = performance.now() - began;
    const { longest: waited } = await bystander.stop();
    return { status, ms, bytes, waited, cpu: ((await server.usage()).cpu - cpu) / 1000 };
  } finally {
    await server.stop();
  }
}

interface ApiResponse {
  readonly status: string;
  readonly bytes: number;
  /** The first characters of the body. */
  readonly start: string;
}

const MAX_START = 500;

function send(url: string, { method, path, body, headers }: Asked): Promise<ApiResponse> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const place = path.startsWith('/rest') ? `${url}/~s${path}` : `${url}${path}`;
  const about =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise(resolve => {
    const options = { method, agent: new Agent(), headers: { authorization, ...about, ...headers } };
    const sending = request(place, options, response => {
      let bytes = 0;
      let start = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (start.length < MAX_START) start += chunk.toString().slice(0, MAX_START);
      });
      response
        .once('error', error => resolve({ status: error.message, bytes, start }))
        .once('end', () => resolve({ status: String(response.statusCode), bytes, start }));
    });
    sending.setTimeout(LONGEST, () => {
      resolve({ status: `none in ${LONGEST / 1000} s`, bytes: 0, start: '' });
      sending.destroy();
    });
    sending.once('error', error => resolve({ status: error.message, bytes: 0, start: '' }));
    sending.end(text);
  });
}
