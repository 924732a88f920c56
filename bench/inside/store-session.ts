// Measures inside one process how fast sessions perform changes on a store, without HTTP: what the store itself costs a change.
// Prints its figures as JSON. Arguments: what `--store` takes; `fsync` or `-`; sandboxes; requests under way at a time; seconds.

import { silentLog } from '../../server/engine/log.js';
import { Session } from '../../server/engine/session/session.js';
import { openStore } from '../../server/process/open-store.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { post, sessionSettings, userName, worldOf } from './asking.js';

const USERS = 3_000;
const WARM_UP = 0.5;

const [store = '', fsync = '', sandboxes = '', underWay = '', seconds = ''] = process.argv.slice(2);
const flags = { store, ...(fsync === 'fsync' && { fsync: true }) };
const world = worldOf({ users: USERS, members: 1_000, pages: 0 });
const kept = await openStore(settingsFrom(undefined, flags), { scenario: 'bench', world, readings: {} }, silentLog);
await kept.ready();
const session = new Session(sessionSettings(world, kept));
const names = Array.from({ length: Number(sandboxes) }, (_, i) => `job-${i}`);
for (const name of names) await session.ensure(name, session.origin);

const TRIPLES = 500;
const requests = (['add', 'remove'] as const).flatMap(verb =>
  Array.from({ length: TRIPLES }, (_, i) => {
    const users = [0, 1, 2].map(k => userName(1_000 + ((i * 3 + k) % (USERS - 1_000))));
    return post(`/groups/${verb}-users`, {}, { group: 'big', users });
  }),
);
let sent = 0;
await load(WARM_UP);
const before = process.cpuUsage();
const { times, elapsed } = await load(Number(seconds));
const { user, system } = process.cpuUsage(before);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
console.log(
  JSON.stringify({ rate: times.length / elapsed, p50: at(0.5), p99: at(0.99), cpu: (user + system) / times.length }),
);
await kept.close();

/** Milliseconds of each change, and the seconds of all. */
async function load(lasting: number): Promise<{ times: number[]; elapsed: number }> {
  const times: number[] = [];
  const began = performance.now();
  const client = async () => {
    while (performance.now() - began < lasting * 1_000) {
      const i = sent;
      sent += 1;
      const request = requests[Math.floor(i / names.length) % requests.length];
      const name = names[i % names.length];
      if (request === undefined || name === undefined) throw new Error('there is no sandbox');
      const asked = performance.now();
      const performed = await session.respond(name, request);
      if (performed?.response.status !== 200) throw new Error(`a change was answered ${performed?.response.status}`);
      times.push(performance.now() - asked);
      if (times.length % 256 === 0) await new Promise(setImmediate); // as requests come from outside
    }
  };
  await Promise.all(Array.from({ length: Number(underWay) }, client));
  return { times, elapsed: (performance.now() - began) / 1_000 };
}
