// The check finds each store that breaks its contract, and finds nothing with a correct one: three sessions that share it.

import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import { check } from '../../linearizable/checking/check.js';
import { run } from '../../linearizable/course.js';
import { cellsIn } from '../../linearizable/replicas/asked.js';
import { sessionReplica } from '../../linearizable/replicas/session-replica.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { emptyStore, shared, slow } from '../../support/worlds/sessions.js';
import { defectiveStores } from './defective-stores.js';

const cells = cellsIn(formOf(smallTeam));
const sandboxes = new Map(['a', 'b'].map(name => [name, cells]));

/** Each session through a wrapper of its own to the same store. */
async function tried(way: (store: SandboxStore) => SandboxStore, operations = 300) {
  const store = emptyStore();
  const replicas = [1, 2, 3].map(n => sessionReplica(`session ${n}`, way(store)));
  const recorder = await run({ seed: 7, replicas, operations, lanes: 6, sandboxes, pause: 10 });
  return { recorder, ...check(recorder.histories()) };
}

describe('sessions that share a store', function () {
  this.timeout(60_000);

  for (const [name, way] of [
    ['at once', shared],
    ['late and out of step', slow],
  ] as const)
    it(`are linearizable if it answers ${name}`, async () => {
      const { findings, entries, recorder } = await tried(way, 1000);
      expect([...recorder.odd, ...findings]).to.deep.equal([]);
      expect(entries).to.be.above(2000);
    });

  /** Each report contains this text, among others. */
  const says: Readonly<Record<keyof typeof defectiveStores, RegExp>> = {
    'appends without comparing': /was decided on version/,
    'tells now and then that there is nothing new': /began when place \d+ was reached/,
    'acknowledges before it appends': /also that of|comes before entry/,
    'acknowledges now and then what it does not append': /also that of|lost/,
    'appends again what it has appended': /applied twice|is reported as/,
    'says that it did nothing, and did it': /done as entry \d+: .* refused/,
    'appends the changes, and forgets to write them down': /also that of|lost|left version/,
  };
  for (const [name, pattern] of Object.entries(says))
    it(`are reported if it ${name}`, async () => {
      const way = defectiveStores[name] ?? slow;
      const { findings } = await tried(store => way(slow(store)));
      expect(findings.join('\n')).to.match(pattern);
    });
});
