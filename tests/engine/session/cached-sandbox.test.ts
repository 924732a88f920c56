// How a live sandbox applies the end of its log, which may arrive late: entries it already has are applied once.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { begin, firstCheckpoint, type SandboxRecord } from '../../../server/engine/sandbox/state.js';
import { CachedSandbox } from '../../../server/engine/session/cached-sandbox.js';
import type { Head } from '../../../server/engine/store.js';
import { serverReadings } from '../../../server/operations/gaps/profiles.js';
import { origin } from '../../support/worlds/sessions.js';

const records: readonly SandboxRecord[] = ['Hello', 'Goodbye', 'Welcome'].map(title => ({
  changes: [{ type: 'page-text-replaced', page: '65601', title, body: title, by: 'alice', at: '2026-01-05T09:00:00Z' }],
}));
const head = (last: number, base = 0): Head => ({ last, id: String(last), log: 'a', from: base, base });
const limits = { entries: 10, bytes: 10_000 };
const made = () =>
  new CachedSandbox({
    name: 'a',
    base: firstCheckpoint(begin(origin)),
    head: head(0),
    server: serverReadings({}),
    limits,
    ttl: 1_000,
    usedAt: 0,
  });
const page = ({ state }: CachedSandbox) => {
  const { title, version } = formOf(state.world).pages['65601'] ?? expect.fail('the page is gone');
  return { title, version };
};

describe('a live sandbox that catches up with its log', () => {
  it("applies no entry twice if the store's answer arrives after it has gone on", () => {
    const sandbox = made();
    sandbox.catchUp({ records: records.slice(0, 2), head: head(2) });
    sandbox.catchUp({ records, head: head(3) });
    expect({ head: sandbox.head, ...page(sandbox) }).to.deep.equal({ head: head(3), title: 'Welcome', version: 4 });
    expect(sandbox.history.to).to.equal(3);
    sandbox.catchUp({ records: records.slice(0, 1), head: head(1) });
    expect({ head: sandbox.head, ...page(sandbox) }).to.deep.equal({ head: head(3), title: 'Welcome', version: 4 });
  });

  it('starts from the base of the log if the log was compacted beyond its version', () => {
    const first = made();
    first.catchUp({ records: records.slice(0, 2), head: head(2) });
    const sandbox = made();
    const base = { version: 2, state: first.state, run: 0, lastId: 0, cleared: 0 };
    sandbox.catchUp({ base, records: records.slice(2), head: head(3, 2) });
    expect({ head: sandbox.head, ...page(sandbox) }).to.deep.equal({ head: head(3, 2), title: 'Welcome', version: 4 });
    expect(sandbox.history).to.include({ from: 2, to: 3 });
    expect(sandbox.history.at(2)).to.equal(first.state);
  });
});
