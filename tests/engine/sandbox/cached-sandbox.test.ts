// How a live sandbox applies the end of its log, which may arrive late: entries it already has are applied once.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { Sandbox } from '../../../server/engine/sandbox/cached-sandbox.js';
import { begin, type Change } from '../../../server/engine/sandbox/state.js';
import type { Head } from '../../../server/engine/store.js';
import { serverReadings } from '../../../server/operations/gaps/profiles.js';
import { origin } from '../../support/worlds/sessions.js';

const entries: Array<readonly Change[]> = ['Hello', 'Goodbye', 'Welcome'].map(title => [
  { type: 'page-text-replaced', page: '65601', title, body: title, by: 'alice', at: '2026-01-05T09:00:00Z' },
]);
const head = (version: number, from = 0): Head => ({ version, id: String(version), log: 'a', from });
const limits = { entries: 10, bytes: 10_000 };
const made = () =>
  new Sandbox({
    name: 'a',
    state: begin(origin),
    head: head(0),
    server: serverReadings({}),
    limits,
    ttl: 1_000,
    usedAt: 0,
  });
const notes = { run: 0, last: 0, forgotten: 0, cleared: 0, latest: [] };
const page = ({ state }: Sandbox) => {
  const { title, version } = formOf(state.world).pages['65601'] ?? expect.fail('the page is gone');
  return [title, version];
};

describe('a live sandbox that catches up with its log', () => {
  it('applies new entries one by one', () => {
    const sandbox = made();
    sandbox.catchUp({ entries, head: head(3), notes }, true);
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
    expect([sandbox.history.from, sandbox.history.to]).to.deep.equal([0, 3]);
    expect(sandbox.history.at(1)?.world.pages.get('65601')?.title).to.equal('Hello');
  });

  it("applies no entry twice if the store's answer arrives after it has gone on", () => {
    const sandbox = made();
    sandbox.catchUp({ entries: entries.slice(0, 2), head: head(2), notes }, true);
    sandbox.catchUp({ entries, head: head(3), notes }, true);
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
    expect(sandbox.history.to).to.equal(3);
    sandbox.catchUp({ entries: entries.slice(0, 1), head: head(1), notes }, true);
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
  });

  it('starts from the base of the log if the log was compacted beyond its version', () => {
    const first = made();
    first.catchUp({ entries: entries.slice(0, 2), head: head(2), notes }, true);
    const sandbox = made();
    sandbox.catchUp(
      { base: { version: 2, value: first.state }, entries: entries.slice(2), head: head(3, 2), notes },
      true,
    );
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3, 2), 'Welcome', 4]);
    expect([sandbox.history.from, sandbox.history.to]).to.deep.equal([2, 3]);
    expect(sandbox.history.at(2)).to.equal(first.state);
  });
});
