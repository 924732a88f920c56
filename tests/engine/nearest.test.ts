// The nearest of the valid names: close enough to be meant, a difference in case first, and nothing rather than nonsense.
import { expect } from 'chai';
import { nearest, nearestName } from '../../server/engine/nearest.js';

const names = ['alice', 'carol', 'team-members', 'Team', 'unknown-user', 'unknown-group', 'ppf.push'];

describe('nearestName', () => {
  const cases: [wrong: string, meant: string | undefined][] = [
    ['alcie', 'alice'],
    ['Alice', 'alice'],
    ['TEAM', 'Team'],
    ['unknown-usr', 'unknown-user'],
    ['team-member', 'team-members'],
    ['push', 'ppf.push'],
    ['team-mem', 'team-members'],
    ['unknown', undefined],
    ['bob', undefined],
    ['', undefined],
    ['xyz', undefined],
    ['__proto__', undefined],
    ['a'.repeat(100_000), undefined],
  ];
  it('is close enough to be meant, or nothing', () => {
    for (const [wrong, meant] of cases) expect(nearestName(wrong, names), wrong.slice(0, 20)).to.equal(meant);
    expect(nearestName('alice', [])).to.equal(undefined);
  });

  it('looks at a bounded part of an endless list', () => {
    function* endless() {
      for (let i = 0; ; i++) yield `name-${i}`;
    }
    expect(nearestName('nam-17', endless())).to.match(/^name-/);
  });

  it('compares few long names, and never all of a very long one', () => {
    const long = Array.from({ length: 5_000 }, (_, i) => `${'x'.repeat(190)}${i}`);
    expect(nearestName(`${'x'.repeat(190)}0y`, long)).to.equal(long[0]);
    expect(nearestName('b'.repeat(2 ** 20), long)).to.equal(undefined);
  });

  it('is phrased for the middle of a message, or left out', () => {
    expect(nearest('alcie', names)).to.equal(' (did you mean "alice"?)');
    expect(nearest('zzz', names)).to.equal('');
  });
});
