// The generator of the fuzz: the same numbers give the same bytes, of every kind.
import { expect } from 'chai';
import { caseAt, type Sandboxes } from './cases.js';
import { Dice } from './dice.js';
import { chunked } from './framing.js';
import { mutated } from './mutation.js';

const sandboxes: Sandboxes = { own: 'own.1', free: 'fr.1', wild: 'w.1', faulty: 'faulty.1' };
const some = Array.from({ length: 2_000 }, (_, at) => at);

describe('the cases of the fuzz', () => {
  it('are the same for the same seed and number', () => {
    for (const at of some) {
      const [one, other] = [caseAt(5, at, sandboxes), caseAt(5, at, sandboxes)];
      expect(one.bytes.equals(other.bytes)).to.equal(true);
      for (const key of ['kind', 'cuts', 'ending', 'isKept'] as const) expect(one[key], key).to.deep.equal(other[key]);
    }
  });

  it('differ for another seed, and for another number', () => {
    const texts = [5, 6].flatMap(seed => some.map(at => caseAt(seed, at, sandboxes).bytes.toString('latin1')));
    expect(new Set(texts).size).to.be.above(texts.length * 0.95);
  });

  it('are of every kind, and contain the requests they list', () => {
    const cases = some.map(at => caseAt(5, at, sandboxes));
    expect(new Set(cases.map(({ kind }) => kind)).size).to.equal(13);
    for (const { kind, asked, tried, bytes, parts } of cases) {
      if (kind === 'pipelined') expect(bytes.toString('latin1').split(/ HTTP\/1\.[01]\r\n/)).to.have.length(tried + 1);
      if (kind === 'among faults') expect(Buffer.concat([...(parts ?? [])])).to.deep.equal(bytes);
      expect(asked.length).to.be.at.most(tried);
    }
  });

  it('name no sandbox that their kind must not touch', () => {
    for (const { kind, bytes } of some.map(at => caseAt(5, at, sandboxes))) {
      const text = bytes.toString('latin1');
      if (kind === 'bytes changed') expect(text).to.not.match(/own\.1|w\.1|faulty\.1/);
      else if (kind.startsWith('control')) expect(text).to.not.match(/own\.1|fr\.1|faulty\.1/);
      else expect(text).to.not.match(/fr\.1|w\.1/);
    }
  });
});

describe('the bytes of the fuzz', () => {
  it('are the same body in chunks', () => {
    for (const at of some.slice(0, 200)) {
      const dice = new Dice(9, at);
      const body = dice.bytes(dice.between(1, 400));
      const joined: Buffer[] = [];
      let left = chunked(body, dice);
      for (let size = -1; size !== 0; ) {
        const line = left.indexOf('\r\n');
        size = Number.parseInt(left.toString('latin1', 0, line), 16);
        joined.push(left.subarray(line + 2, line + 2 + size));
        left = left.subarray(line + 4 + size);
      }
      expect(Buffer.concat(joined).equals(body)).to.equal(true);
    }
  });

  it('are mutated, rarely into the original', () => {
    const whole = Buffer.from(
      'POST /rest/cwx-ppf/latest/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}',
    );
    const same = some.filter(at => mutated(whole, 1, new Dice(9, at)).equals(whole));
    expect(same.length).to.be.below(some.length / 20);
  });
});
