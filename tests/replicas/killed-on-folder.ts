// A server on a folder that is killed at random moments under load keeps everything it acknowledged.
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { built } from '../support/processes/built.js';
import { endAll, launch } from '../support/processes/command-line.js';
import { at, flagsOn, groupsOf, make } from './folder-server.js';

const SANDBOXES = ['one', 'two'];

export function testKills(rounds: number): void {
  describe('a server that keeps its sandboxes in a folder and is killed', function () {
    this.timeout(120_000);
    let folder: Scratch;
    before(async () => {
      await built();
      folder = scratch();
    });
    after(() => {
      endAll();
      folder.drop();
    });

    it(`has everything it acknowledged after each of ${rounds} kills`, async () => {
      let count = 0;
      const acknowledged = new Map(SANDBOXES.map(name => [name, new Map<string, number>()]));
      for (let round = 0; round <= rounds; round += 1) {
        const server = await launch(flagsOn(folder));
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
        if (round === rounds) return expect((await server.signal('SIGTERM')).code).to.equal(0);
        const loads = [...acknowledged].flatMap(([sandbox, made]) =>
          [0, 1, 2].map(async () => {
            for (;;) {
              count += 1;
              const { status, group, id } = await make(server, sandbox, `g${count}`).catch(() => ({
                status: 0,
                group: '',
                id: 0,
              }));
              if (status !== 200) return;
              made.set(group, id);
            }
          }),
        );
        await setTimeout(randomInt(5, 60));
        await server.signal('SIGKILL');
        await Promise.all(loads);
      }
      expect([...acknowledged.values()].map(({ size }) => size > rounds)).to.deep.equal([true, true]);
    });
  });
}
