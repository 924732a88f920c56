// Large page texts stored apart from their entry: which texts are parts, and that they are read back.
import { expect } from 'chai';
import { applyPatch } from '../../../server/domain/form/patch.js';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { begin, type Change } from '../../../server/engine/sandbox/state.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { noPart, noParts } from './no-parts.js';
import { plainState } from './walk.js';

const LARGE = 'é'.repeat(2 ** 15);
const SMALL = 'é'.repeat(2 ** 15 - 1);
const edit = (body: string, title = 'T'): Extract<Change, { type: 'page-text-replaced' }> => ({
  type: 'page-text-replaced',
  page: '65601',
  title,
  body,
  by: 'admin',
  at: '2026-01-05T09:00:00Z',
});
const patch = (pages: Readonly<Record<string, object | null>>): Change => ({ type: 'world-patched', patch: { pages } });

/** The written form of changes, and its parts. */
function written(changes: readonly Change[]) {
  const parts = new Map<string, string>();
  const text = sandboxFormat().writeEntry(changes, (name, part) => parts.set(name, part));
  return { text, parts };
}

describe('a large text of a page', () => {
  const cases: Readonly<Record<string, readonly [changes: Change[], parts: number]>> = {
    'the body of an edit': [[edit(LARGE)], 1],
    'the title of an edit': [[edit('', `${LARGE}!`)], 1],
    'both, which are the same': [[edit(LARGE, LARGE)], 1],
    'the pages of a patch': [[patch({ '1': { body: LARGE }, '2': { title: 'small' }, '3': null })], 1],
    'several changes': [[edit(LARGE), { type: 'group-created', group: 'g' }, patch({ '1': { body: `${LARGE}2` } })], 2],
  };
  for (const [what, [changes, count]] of Object.entries(cases)) {
    it(`is a part of an entry, and read back, in ${what}`, () => {
      const { text, parts } = written(changes);
      expect(parts.size).to.equal(count);
      for (const name of parts.keys()) expect(name).to.match(/^t-[0-9a-f]{64}$/);
      expect(text).to.have.length.below(600);
      expect(sandboxFormat().readEntry(text, name => parts.get(name) ?? expect.fail(name))).to.deep.equal(changes);
    });
  }

  it('is the same part of a journal entry, of a base, and of a whole world', async () => {
    const format = sandboxFormat();
    const names = new Set<string>();
    const put = (name: string) => names.add(name);
    format.writeEntry([edit(LARGE)], put);
    format.writeNote({ facts: [edit(LARGE)] } as unknown as JournalEntry, put);
    expect(names.size).to.equal(1);
    const copies = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [String(70_000 + i), { space: 'ds', title: `Copy ${i}`, body: LARGE }]),
    );
    const world = applyPatch(smallTeam, { pages: copies });
    for (const state of [
      { ...begin({ scenario: 'small-team', world: smallTeam, readings: {} }), world },
      begin({ scenario: 'many', world, readings: {} }),
    ]) {
      const base = format.writeBase(state);
      expect([...base.parts.keys()].filter(name => name.startsWith('t-'))).to.deep.equal([...names]);
      const all = base.text.length + [...base.parts.values()].reduce((sum, text) => sum + text().length, 0);
      expect(all).to.be.lessThan(2 * LARGE.length);
      const read = await sandboxFormat().readBase(
        base.text,
        async name => base.parts.get(name)?.() ?? expect.fail(name),
      );
      expect(plainState(read)).to.deep.equal(plainState(state));
    }
  });

  it('is no part if it is short', () => {
    const changes = [edit(SMALL), patch({ '1': { body: SMALL } })];
    const format = sandboxFormat();
    expect(format.readEntry(format.writeEntry(changes, noParts), noPart)).to.deep.equal(changes);
  });

  it("is recognized only at the place of a page's text", () => {
    const part = { part: `t-${'0'.repeat(64)}` };
    const fault = { operation: 'ppf.push', effect: { body: part } } as const;
    const changes: Change[] = [{ type: 'faults-set', faults: [{ fault, met: 0, fired: 0 }] }];
    const format = sandboxFormat();
    expect(format.readEntry(format.writeEntry(changes, noParts), noPart)).to.deep.equal(changes);
    const other = JSON.stringify([{ ...edit(''), body: { part: 'w-1' } }]);
    expect(() => format.readEntry(other, noPart)).to.throw('/0/body must be text, and is an object');
  });
});
