// The bounds of a journal in number and bytes, and the count of discarded entries.
import { expect } from 'chai';
import { Journal } from '../../../server/engine/journal/journal.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';

const entry = (url: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 0,
  at: '2026-01-05T09:00:00Z',
  method: 'POST',
  url,
  request: { contentType: 'application/json' },
  response: { status: 200 },
  rules: [],
  gaps: {},
  facts: [],
  before: 0,
  version: 0,
  ...more,
});
const MIB = 1024 * 1024;
const add = (journal: Journal, one: JournalEntry) => journal.add({ ...one, id: journal.lastId + 1 });

describe('the journal', () => {
  for (const most of [0, 1, 3, 10])
    it(`keeps the latest ${most} entries, also after it was cleared`, () => {
      const journal = new Journal({ entries: most, bytes: MIB });
      for (let last = 1; last <= 20; last += 1) {
        if (last === 8) journal.clear();
        add(journal, entry(`/${last}`));
        const first = Math.max(last < 8 ? 1 : 8, last - most + 1);
        const ids = Array.from({ length: last - first + 1 }, (_, i) => first + i);
        expect(journal.entries().map(({ id }) => id)).to.deep.equal(ids);
        expect(journal.after(0, last - 1).entries.map(({ id }) => id)).to.deep.equal(ids.slice(-1));
        expect([first - 1, last + 1, 1.5].filter(id => journal.entry(id) !== undefined)).to.deep.equal([]);
        expect([journal.entry(first)?.url, journal.last?.url]).to.deep.equal(
          most === 0 ? [undefined, undefined] : [`/${first}`, `/${last}`],
        );
        expect(journal.evicted).to.equal(last - (last < 8 ? 0 : 7) - ids.length);
      }
    });

  it('keeps within its bytes with large bodies', () => {
    const journal = new Journal({ entries: 1000, bytes: 16 * MIB });
    for (let i = 0; i < 40; i += 1)
      add(journal, entry(`/${i}`, { request: { contentType: '', body: 'x'.repeat(MIB) } }));
    expect(journal.size).to.equal(15);
    expect(journal.evicted).to.equal(25);
    expect(journal.bytes).to.be.below(16 * MIB);
  });

  it('counts the texts and lists of facts among its bytes', () => {
    const journal = new Journal({ entries: 1000, bytes: MIB });
    const users = Array.from({ length: 20_000 }, (_, i) => `user-${i}`);
    for (let i = 0; i < 5; i += 1)
      add(journal, entry('/', { facts: [{ type: 'group-members-set', group: 'g', users }] }));
    expect(journal.size).to.equal(1);
  });

  it('leaves out a response that would displace most others', () => {
    const journal = new Journal({ entries: 1000, bytes: 16 * MIB });
    add(journal, entry('/before'));
    add(journal, entry('/large', { response: { status: 200, body: 'x'.repeat(17 * MIB) } }));
    expect(journal.entries().map(({ url, response }) => [url, response])).to.deep.equal([
      ['/before', { status: 200 }],
      ['/large', { status: 200 }],
    ]);
  });
});
