// A server on a folder that is killed at random moments under load keeps everything it acknowledged.
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { JournalEntry } from '../../../../server/engine/journal/journal-entry.js';
import { at, flagsOn, groupsOf, make } from '../../../store/file/folder-server.js';
import { type Scratch, scratch } from '../../../support/files/scratch.js';
import { built } from '../../../support/processes/built.js';
import { endAll, type Launched, launch } from '../../../support/processes/command-line.js';
import { sandboxNames } from '../../../support/wire/server.js';
import { until } from '../../../support/worlds/until.js';

const KILLS = 30;

describe('a server that keeps its sandboxes in a folder and is killed', function () {
  this.timeout(300_000);
  let folder: Scratch;
  /** The groups of each sandbox, with the entries that created them. */
  const acknowledged = new Map(['one', 'two'].map(name => [name, new Map<string, number>()]));
  /** Sandboxes that were created; `false`: and deleted. What was not acknowledged is not in it. */
  const created = new Map<string, boolean>();
  const total = () => [...acknowledged.values()].reduce((sum, { size }) => sum + size, 0);
  let count = 0;
  /** Sandboxes that came, and stayed or went again, as was acknowledged. */
  let settled = 0;
  before(async () => {
    await built();
    folder = scratch();
  });
  after(() => {
    endAll();
    folder.drop();
  });

  it(`has everything it acknowledged after each of ${KILLS} kills, half of them with --fsync`, async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await launch([...flagsOn(folder), ...(kill % 2 === 0 ? [] : ['--fsync'])]);
      await check(server);
      const loads = [...acknowledged].flatMap(([sandbox, made]) => [0, 1, 2].map(() => load(server, sandbox, made)));
      loads.push(comeAndGo(server));
      const [before, settledBefore] = [total(), settled];
      await until(() => total() > before && settled > settledBefore);
      await setTimeout(randomInt(1, 60));
      await server.signal('SIGKILL');
      await Promise.all(loads);
    }
    const server = await launch(flagsOn(folder));
    await check(server);
    expect((await server.signal('SIGTERM')).code).to.equal(0);
    expect(total()).to.be.above(2 * KILLS);
    expect(new Set(created.values()).size).to.equal(2);
  });

  async function check(server: Launched): Promise<void> {
    const names = await sandboxNames(server.url);
    for (const [name, isThere] of created) expect(names.includes(name), name).to.equal(isThere);
    for (const [sandbox, made] of acknowledged) {
      if (made.size === 0) continue;
      const groups = await groupsOf(server, sandbox);
      const { entries } = (await at(server, `${sandbox}/journal`)) as { entries: JournalEntry[] };
      expect(entries.map(({ id }) => id)).to.deep.equal(entries.map((_, i) => i + 1));
      for (const [group, id] of made) {
        expect(groups[group], group).to.deep.equal(['alice']);
        expect(JSON.parse(entries[id - 1]?.request.body ?? '').group).to.equal(group);
      }
    }
  }

  /** Creates groups until the server is killed. */
  async function load(server: Launched, sandbox: string, made: Map<string, number>): Promise<void> {
    for (;;) {
      count += 1;
      const done = await make(server, sandbox, `g${count}`).catch(() => undefined);
      if (done?.status !== 200) return;
      made.set(done.group, done.id);
    }
  }

  /** Creates sandboxes until the server is killed, and deletes every second one. */
  async function comeAndGo(server: Launched): Promise<void> {
    for (;;) {
      count += 1;
      const name = `n${count}`;
      const done = await make(server, name, 'g').catch(() => undefined);
      if (done?.status !== 200) return;
      created.set(name, true);
      if (settled % 2 === 0) {
        settled += 1;
        continue;
      }
      created.delete(name); // until its deletion is acknowledged
      const deleting = fetch(`${server.url}/_fake/v1/sandboxes/${name}`, { method: 'DELETE' });
      if ((await deleting.catch(() => undefined))?.status !== 204) return;
      created.set(name, false);
      settled += 1;
    }
  }
});
