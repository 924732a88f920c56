// What a scenario makes of a file: a world, readings, a clock, faults and steps.
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../server/domain/form/form.js';
import { packageRoot } from '../../server/scenario/files/folders.js';
import { listScenarios } from '../../server/scenario/load/load.js';
import { type Written, written } from '../support/files/files.js';
import { smallTeam } from '../support/worlds/ask.js';

describe('a scenario', () => {
  let files: Written;
  afterEach(() => files.remove());

  it('is its fixture with its own world laid over', () => {
    files = written({
      'scenarios/mine.yaml': [
        'title: Mine',
        'about: A test.',
        'fixture: small-team',
        'world: { licence: { ppf: expired }, favourites: { alice: { filters: [10500] } } }',
      ].join('\n'),
    });
    const { origin, title, about, steps } = files.load('mine');
    const base = formOf(smallTeam);
    expect({ title, about, steps }).to.deep.equal({ title: 'Mine', about: 'A test.', steps: [] });
    expect(origin).to.deep.include({ scenario: 'mine', readings: {} }).and.not.have.property('clock');
    expect(formOf(origin.world)).to.deep.equal({
      ...base,
      licence: { ppf: 'expired' },
      favourites: { ...base.favourites, alice: { filters: [10500], dashboards: [] } },
    });
  });

  it('has captions of one line, however YAML wraps them', () => {
    const text =
      'title: |\n  Mine\nabout: >\n  A\n  test.\nsteps:\n  - say: |\n      Alice\n      asks\n    call: spaces.is-unique\n';
    files = written({ 'scenarios/unix.yaml': text, 'scenarios/windows.yaml': text.replaceAll('\n', '\r\n') });
    for (const name of ['unix', 'windows']) {
      const { title, about, steps } = files.load(name);
      expect([title, about, steps[0]?.say]).to.deep.equal(['Mine', 'A test.', 'Alice asks']);
      expect(listScenarios(files.folders).find(listed => listed.name === name)).to.include({ title, about });
    }
  });

  it('has readings, numbers among them without quotes, a clock, faults and steps', () => {
    const fault = { operation: 'ppf.push', when: { nth: 2 }, effect: { status: 503, retryAfter: 1 } };
    const step = {
      say: 'A push',
      as: 'admin',
      call: 'ppf.push',
      body: { users: ['alice'], filters: [1] },
      expect: { status: 200 },
    };
    files = written({
      'scenarios/mine.yaml': [
        'title: Mine',
        'fixture: small-team',
        'readings: { ppf-anonymous: 401, unknown-user: "400", context-path: /wiki }',
        'clock: 2026-01-05T09:00:00Z',
        `faults: [${JSON.stringify(fault)}]`,
        `steps: [${JSON.stringify(step)}]`,
      ].join('\n'),
    });
    const { origin, steps, files: read } = files.load('mine');
    expect(origin.readings).to.deep.equal({ 'ppf-anonymous': '401', 'unknown-user': '400', 'context-path': '/wiki' });
    expect(origin.clock).to.equal('2026-01-05T09:00:00Z');
    expect(origin.faults).to.deep.equal([fault]);
    expect(steps).to.deep.equal([step]);
    expect(read).to.deep.equal([
      join(files.root, 'scenarios/mine.yaml'),
      join(packageRoot(), 'fixtures/small-team.yaml'),
    ]);
  });
});
