// cwx-fake beside bare Koa, the usual stack and what a user would take in its place: the same POST to each, in one run.
import { resolve } from 'node:path';
import { isInstalled } from '../../tests/support/measuring/machine.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { changing, paths, SPARE_USERS } from '../harness/memberships.js';
import { scratch } from '../harness/places.js';
import { type Contender, compare, type Effort } from '../harness/rounds.js';
import { firstOf } from '../harness/single-request.js';
import { type Starting, startsOf } from '../harness/starts.js';
import { fakeWith, GROUP } from '../harness/world.js';
import { type Asked, type MockServer, mockServers, versionOf } from '../peers/mock-servers.js';
import { defaultStart } from './first-response.js';
import { peersTable, ratiosTable } from './peers-tables.js';

const MEMBERS = 100_000;
const MIN_STARTS = 5;
/** Requests before a server is measured, where it wants no more: some response too few in two seconds. */
const WARM_UP = 10_000;

export async function peers(effort: Effort): Promise<readonly Table[]> {
  const requests = changing();
  const asked = { requests, warmUp: WARM_UP };
  const { present, skipped } = mockContenders(requests);
  const contenders: Readonly<Record<string, Contender>> = {
    koa: { name: 'bare Koa, body ignored, constant JSON', program: { script: 'bench/peers/bare-koa.js' }, ...asked },
    stack: { name: 'koa-bodyparser, @koa/router, ajv', program: { script: 'bench/peers/plain-koa.js' }, ...asked },
    fake: { name: '**cwx-fake**', program: fakeWith(MEMBERS, SPARE_USERS), ...asked },
    ...present,
  };
  for (const line of skipped) effort.say(line);
  const results = await compare(Object.values(contenders), effort);
  const starts = await startsOf(startings(contenders), effort.isQuick ? 1 : MIN_STARTS, effort.say);
  const keys = Object.keys(contenders);
  const measured = Object.fromEntries(
    results.map((result, i) => [keys[i] ?? '', { ...result, starts: starts[i] ?? [] }]),
  );
  return [peersTable(measured, skipped), ratiosTable(measured)];
}

/** The servers that are there, and a line for each that is not. */
function mockContenders(requests: string): { present: Record<string, Contender>; skipped: readonly string[] } {
  const asked = {
    paths: Object.values(paths),
    group: GROUP,
    openapi: resolve('contracts/openapi.json'),
    folder: scratch,
  };
  const present: Record<string, Contender> = {};
  const skipped: string[] = [];
  for (const [key, server] of Object.entries(mockServers)) {
    const found = versionOf(server, isInstalled);
    if ('problem' in found) skipped.push(`Skipped: ${server.name}: ${found.problem}.`);
    else present[key] = contender(server, found.version, asked, requests);
  }
  return { present, skipped };
}

function contender(server: MockServer, version: string, asked: Asked, requests: string): Contender {
  const program = { command: (port: number, aside: number) => server.command(port, asked, aside) };
  return {
    name: server.name.replace(/^[^,]+/, name => `${name} ${version}`),
    program,
    requests,
    warmUp: server.warmUp ?? WARM_UP,
  };
}

/** cwx-fake starts as it does by default; what it is measured on under load takes longer to read. */
function startings(contenders: Readonly<Record<string, Contender>>): Starting[] {
  return Object.entries(contenders).map(([key, { name, program, requests }]) =>
    key === 'fake' ? { name, ...defaultStart } : { name, program, request: firstOf(requests) },
  );
}
