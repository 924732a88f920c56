// How a live sandbox takes in the end of its log, which may come late: what it knows already counts once.
import { expect } from 'chai';
import { formOf } from '../../server/domain/form.js';
import { Sandbox } from '../../server/engine/sandbox.js';
import { begin, type Change } from '../../server/engine/state.js';
import { defaultReadings } from '../../server/operations/gaps.js';
import { origin } from '../support/sessions.js';

const entries: Array<readonly Change[]> = ['Hello', 'Goodbye', 'Welcome'].map(title => [
  { type: 'page-text-replaced', page: '65601', title, body: title, by: 'alice', at: '2026-01-05T09:00:00Z' },
]);
const head = (version: number) => ({ version, id: String(version), log: 'a' });
const made = () => new Sandbox('a', begin(origin), head(0), defaultReadings, { entries: 10, bytes: 10_000 }, 1_000, 0);
const page = ({ state }: Sandbox) => {
  const { title, version } = formOf(state.world).pages['65601'] ?? expect.fail('the page is gone');
  return [title, version];
};

describe('a live sandbox that catches up with its log', () => {
  it('takes in what is new, entry by entry', () => {
    const sandbox = made();
    sandbox.catchUp({ base: begin(origin), from: 0, entries, head: head(3) });
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
    expect([sandbox.history.from, sandbox.history.to]).to.deep.equal([0, 3]);
    expect(sandbox.history.at(1)?.world.pages.get('65601')?.title).to.equal('Hello');
  });

  it('takes nothing in twice, where the answer of the store comes after it has gone on', () => {
    const sandbox = made();
    sandbox.advance(entries.slice(0, 2), head(2));
    sandbox.catchUp({ base: begin(origin), from: 0, entries, head: head(3) });
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
    expect(sandbox.history.to).to.equal(3);
    sandbox.catchUp({ base: begin(origin), from: 0, entries: entries.slice(0, 1), head: head(1) });
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
  });

  it('begins with the base of the log where that no longer reaches back to what it knows', () => {
    const first = made();
    first.advance(entries.slice(0, 2), head(2));
    const sandbox = made();
    sandbox.catchUp({ base: first.state, from: 2, entries: entries.slice(2), head: head(3) });
    expect([sandbox.head, ...page(sandbox)]).to.deep.equal([head(3), 'Welcome', 4]);
    expect([sandbox.history.from, sandbox.history.to]).to.deep.equal([2, 3]);
    expect(sandbox.history.at(2)).to.equal(first.state);
  });
});
