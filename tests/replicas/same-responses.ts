// The same requests get the same bytes on every store: rules of the suite and a story of requests. Shared stores run behind a balancer
// that hands each request to another replica.
import { expect } from 'chai';
import { servedFake } from '../../server/library/target/served-fake.js';
import type { Running } from '../../server/process/start.js';
import { defaultFolders, namesBeside, packageRoot } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { Player } from '../../server/scenario/play/player.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { scratch } from '../support/files/scratch.js';
import { RedisServer, startCluster, startSentinel } from '../support/redis/redis-servers.js';
import { ADD } from '../support/redis/replicas.js';
import { plainJournal } from '../support/wire/plain-journal.js';
import { send, sendRaw, serving } from '../support/wire/server.js';
import { balancing } from './round-robin.js';

interface Begun {
  /** For `--store`. */
  readonly store: string;
  /** How many servers use it; `restarted`: one, which is started again for each request. */
  readonly servers: number | 'restarted';
  end(): Promise<unknown>;
}

export const stores = {
  memory: async () => ({ store: 'memory', servers: 1, end: async () => {} }),
  'a folder': async () => {
    const folder = scratch();
    return { store: `file:${folder.path}/kept`, servers: 'restarted', end: async () => folder.drop() };
  },
  'one Redis': async () => {
    const engine = await RedisServer.start();
    return { store: engine.url, servers: 3, end: () => engine.stop() };
  },
  'a Cluster': async () => {
    const cluster = await startCluster();
    return { store: cluster.url, servers: 2, end: () => cluster.stop() };
  },
  'a master that a Sentinel watches': async () => {
    const group = await startSentinel();
    return { store: group.url, servers: 2, end: () => group.stop() };
  },
} satisfies Readonly<Record<string, () => Promise<Begun>>>;

/** One test for each store, with the rules whose names match. */
export function testSameResponses(names: ReadonlyArray<keyof typeof stores>, rules: RegExp): void {
  const suite = rulesSuite(rules);

  describe('the responses', () => {
    const seen = new Map<string, readonly string[]>();

    for (const name of names) {
      it(`pass ${suite.length} rules on ${name}`, async () => {
        const { store, servers, end }: Begun = await stores[name]();
        const running: Running[] = [];
        const begin = async () => running.push(await serving(undefined, { store }));
        for (let i = 0; i < (servers === 'restarted' ? 1 : servers); i += 1) await begin();
        const balancer = await balancing(running.map(({ url }) => url));
        const next = async () => {
          if (servers !== 'restarted') return balancer.url;
          await running.pop()?.stop();
          await begin();
          return running[0]?.url ?? '';
        };
        try {
          const played = await playedAt(balancer.url, suite);
          expect(played.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([]);
          const responses = [...played.map(step => JSON.stringify(step)), ...(await readAll(next))];
          seen.set(
            name,
            responses.map(response => plainJournal(response.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://server'))), // links name the host
          );
        } finally {
          await balancer.stop();
          await Promise.all(running.map(({ stop }) => stop()));
          await end();
        }
      });
    }

    it('are the same on all stores, to the byte', () => {
      const [[, first = []] = [], ...others] = seen;
      expect([...seen.keys()]).to.deep.equal(names);
      for (const [name, other] of others) {
        expect(other, name).to.have.length(first.length);
        const at = other.findIndex((line, i) => line !== first[i]);
        expect(other[at], `${name}, line ${at}`).to.equal(first[at]);
      }
    });
  });
}

function rulesSuite(rules: RegExp): readonly Loaded[] {
  const folders = defaultFolders(packageRoot());
  const names = namesBeside('rules/x', folders.scenarios).filter(name => rules.test(name));
  if (names.length === 0) throw new Error(`no rule fits ${rules}`);
  return names.map(name => {
    const loaded = loadNamed(name, folders);
    if (isProblems(loaded)) throw new Error(JSON.stringify(loaded.problems));
    return { ...loaded, origin: { clock: '2026-01-05T09:00:00Z', ...loaded.origin } }; // it would be part of the response
  });
}

async function playedAt(url: string, suite: readonly Loaded[]) {
  const target = await servedFake(url, { name: 'rules', isKept: false });
  if (target === undefined) throw new Error(`there is no fake at ${url}`);
  const played: object[] = [];
  for (const story of suite)
    for await (const { step, outcome, received, insight } of new Player(story, target).all()) {
      const { date: _, ...headers } = received?.headers ?? {};
      played.push({ say: step.say, outcome, status: received?.status, text: received?.text, headers, insight });
    }
  await target.close();
  return played as ReadonlyArray<{ readonly outcome: string }>;
}

/** Whole responses except for the time of day. */
async function readAll(next: () => Promise<string>): Promise<readonly string[]> {
  const control = async (method: string, path: string, body?: object) => {
    const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const { status, text } = await send(`${await next()}/_fake/v1/sandboxes${path}`, { method, ...init });
    return `${status} ${text.replace(/"idle":[\d.]+/g, '"idle":0')}`;
  };
  const ask = async (user: string, more = '') => {
    const body = JSON.stringify({ group: 'customers', users: [user] });
    const head = `Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const response = await sendRaw(await next(), `POST /~story${ADD} HTTP/1.1\r\n${head}${more}\r\n\r\n${body}`);
    return response.replace(/\r\nDate: [^\r]+/i, '');
  };
  const faults = [{ operation: 'groups.add-users', when: { every: 2 }, effect: { status: 503, retryAfter: 3 } }];
  const responses: string[] = [];
  for (const act of [
    () => control('POST', '', { name: 'story', clock: '2026-01-05T09:00:00Z', seed: 7, ttl: 600 }),
    () => ask('alice'),
    () => ask('nobody'),
    () => ask('carol', '\r\nX-Fake-Reading: wiki-success=messages'),
    () => ask('admin', '\r\nAuthorization: Basic YWRtaW46d3Jvbmc='),
    () => control('PUT', '/story/readings', { 'unknown-user': 'skip' }),
    () => ask('nobody'),
    () => control('POST', '/story/snapshots', { name: 'here' }),
    () => control('PUT', '/story/clock', { advance: 90 }),
    () => control('PUT', '/story/faults', { faults }),
    () => ask('demouser1'),
    () => ask('demouser1'),
    () => ask('demouser2'),
    () => control('GET', '/story/faults'),
    () => control('PATCH', '/story/world', { users: { eve: {} }, groups: { customers: ['eve'] } }),
    () => control('GET', '/story'),
    () => control('GET', '/story/journal'),
    () => control('GET', '/story/diff'),
    () => control('POST', '/story/explain', { entry: 2, readings: { 'unknown-user': '400' } }),
    () => control('POST', '/story/journal/verify', { operation: 'groups.add-users', times: { exactly: 1 } }),
    () => control('GET', '/story/recording'),
    () => control('POST', '', { name: 'story' }),
    () => control('POST', '/story/fork', { name: 'branch', at: 2 }),
    () => control('GET', '/branch/world'),
    () => control('DELETE', '/branch'),
    () => control('GET', '/branch'),
    () => control('DELETE', '/branch'),
    () => control('PUT', '/branch', { clock: '2026-01-05T09:00:00Z', ttl: 600 }),
    () => control('GET', '/branch'),
    () => control('PUT', '/story/clock', { set: '2030-01-01T00:00:00Z' }),
    () => control('POST', '/story/snapshots/here/restore'),
    () => control('POST', '/story/rewind', { to: 1 }),
    () => control('GET', '/story/world'),
    () => control('POST', '/story/reset'),
    () => ask('alice'),
    () => control('GET', '/story/world'),
    () => control('POST', '/story/rewind', { to: 99 }),
    () => control('DELETE', '/story/journal'),
    () => ask('carol'),
    () => control('GET', '/story/journal'),
  ])
    responses.push(await act());
  return responses;
}
