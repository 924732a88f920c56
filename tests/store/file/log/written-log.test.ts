// A log is written in lines of limited length: as one string it would exceed the maximum length.
import { constants } from 'node:buffer';
import { expect } from 'chai';
import { Seals } from '../../../../server/store/file/log/seals.js';
import { newLog } from '../../../../server/store/file/log/stored-log.js';
import { Waste } from '../../../../server/store/file/log/waste.js';
import { linesOfLog } from '../../../../server/store/file/log/written-log.js';

const MEBIBYTE = 2 ** 20;

describe('the lines of a whole log', () => {
  const log = (entries: readonly string[]) => ({
    ...newLog({ version: entries.length, id: 'i', log: 'l', from: 0 }, { text: '{}', parts: {} }, undefined),
    entries: entries.map(text => ({ text })),
    notes: { run: 0, last: entries.length, cleared: 0, kept: entries.map(text => ({ text })) },
  });
  const whole = () => ({
    waste: new Waste(),
    seals: new Seals(),
    held: [],
    parts: { bytesOf: () => 0, hold: () => {} },
  });
  const written = (entries: readonly string[]) =>
    linesOfLog(log(entries), { sandbox: 'a', created: '2026-01-01T00:00:00Z' }, 1, whole());

  it('are short however long the log is', () => {
    const entry = 'x'.repeat(3 * MEBIBYTE);
    let [lines, bytes, longest] = [0, 0, 0];
    for (const { length } of written(Array<string>(100).fill(entry))) {
      lines += 1;
      bytes += length;
      longest = Math.max(longest, length);
    }
    expect(bytes).to.be.greaterThan(constants.MAX_STRING_LENGTH);
    expect(longest).to.be.within(3 * MEBIBYTE, 3.1 * MEBIBYTE);
    expect(lines).to.equal(2 + 2 * 100);
  });

  it('contain many short entries each, in order', () => {
    const entries = Array.from({ length: 600 }, (_, i) => String(i));
    const lines = [...written(entries)].slice(2).map(line => JSON.parse(line.toString('utf8')));
    expect(lines.map(({ at }) => at)).to.deep.equal([0, 256, 512, 600, 600, 600]);
    expect(lines.flatMap(line => line.entries ?? [])).to.deep.equal(entries);
    expect(lines.flatMap(line => line.notes ?? [])).to.deep.equal(entries);
  });
});
