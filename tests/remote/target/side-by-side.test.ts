// Runs tasks on one server in parallel if they touch nothing in common, in order if they do, with a limit on requests.
import { expect } from 'chai';
import {
  allTouched,
  areApart,
  lookedAt,
  type Named,
  type Touched,
  touchedBy,
} from '../../../server/remote/changes/touched.js';
import { lanesOf, sideBySide, type Task, withJobs } from '../../../server/remote/target/side-by-side.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { smallTeam } from '../../support/other-servers/outside.js';

const { world } = smallTeam().origin;
const touched = (call: string, ...named: readonly Named[]): Touched =>
  touchedBy({ say: '', call } as Step, named, world);
const nothing = allTouched([]);
const turn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Tasks that record when they begin and end. */
function noting(notes: string[], name: string, of: Touched, isReady = () => true): Task {
  return {
    touched: of,
    isReady,
    run: async () => {
      notes.push(`${name} begins`);
      await turn();
      notes.push(`${name} ends`);
    },
  };
}

describe('what a step touches', () => {
  const push = (user: string, id: string) => touched('ppf.push', ['user', user], ['filter', id]);

  it('separates the favourites of two users and of two items, two groups, two pages and two new spaces', () => {
    const copy = (key: string) => touched('spaces.copy', ['space', 'tmpl'], ['space', key], ['space name', key]);
    expect(areApart(push('alice', '1'), push('carol', '1'))).to.equal(true);
    expect(areApart(push('alice', '1'), push('alice', '2'))).to.equal(true);
    expect(areApart(touched('groups.add-users', ['group', 'a']), touched('groups.add-users', ['group', 'b']))).to.equal(
      true,
    );
    expect(
      areApart(touched('permissions.edit-add', ['page', '1']), touched('permissions.all-remove', ['page', '2'])),
    ).to.equal(true);
    expect(areApart(copy('A'), copy('B'))).to.equal(true);
  });

  it('does not separate a change from a step that shows it', () => {
    const toGroup = touched('ppf.push', ['group', 'customers'], ['filter', '1']);
    expect(areApart(push('alice', '1'), push('ALICE', '1'))).to.equal(false);
    expect(areApart(toGroup, push('alice', '1'))).to.equal(false);
    expect(areApart(toGroup, touched('groups.set-users', ['group', 'customers'], ['user', 'alice']))).to.equal(false);
    expect(
      areApart(touched('spaces.is-unique', ['space', 'A']), touched('spaces.copy', ['space', 'tmpl'], ['space', 'A'])),
    ).to.equal(false);
    expect(
      areApart(touched('spaces.copy', ['space', 'tmpl']), touched('permissions.view-add', ['page', '65701'])),
    ).to.equal(false);
  });
});

describe('the look at the world after a step', () => {
  const then = { favourites: { alice: { filters: [] } } };

  it('is independent of other changes, and depends on the changes it shows', () => {
    const looked = lookedAt({ say: '', then } as Step, world);
    expect(areApart(looked, touched('ppf.push', ['user', 'alice'], ['filter', '10500']))).to.equal(false);
    expect(areApart(looked, touched('ppf.push', ['user', 'carol'], ['filter', '10500']))).to.equal(true);
  });
});

describe('tasks in parallel', () => {
  const shared: Touched = { reads: new Set(), writes: new Set(['x']) };

  it('begin once what they change is read no longer, and not before', async () => {
    const notes: string[] = [];
    const reader: Task = {
      touched: { reads: new Set(['x', 'y']), writes: new Set() },
      run: async release => {
        release(new Set(['y']));
        await turn();
        notes.push('x is read');
        release(new Set(['x']));
        for (let i = 0; i < 5; i++) await turn();
        notes.push('the reader ends');
      },
    };
    await sideBySide([reader, noting(notes, 'the writer', shared)], 8);
    expect(notes).to.deep.equal(['x is read', 'the writer begins', 'the writer ends', 'the reader ends']);
  });

  it('begin at once if they share nothing, and one after the other if they do', async () => {
    const notes: string[] = [];
    await sideBySide([noting(notes, 'a', shared), noting(notes, 'b', shared), noting(notes, 'c', nothing)], 8);
    expect(notes).to.deep.equal(['a begins', 'c begins', 'a ends', 'b begins', 'c ends', 'b ends']);
  });

  it('begin one after the other if only one at a time may run', async () => {
    const notes: string[] = [];
    await sideBySide([noting(notes, 'a', nothing), noting(notes, 'b', nothing)], 1);
    expect(notes).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('wait until they are ready without blocking others; the first task of a cycle begins all the same', async () => {
    const notes: string[] = [];
    const waitsFor = (what: string) => () => notes.includes(what);
    await sideBySide([noting(notes, 'a', shared, waitsFor('b ends')), noting(notes, 'b', shared)], 8);
    expect(notes).to.deep.equal(['b begins', 'b ends', 'a begins', 'a ends']);
    notes.length = 0;
    await sideBySide(
      [noting(notes, 'a', nothing, waitsFor('b ends')), noting(notes, 'b', nothing, waitsFor('a ends'))],
      8,
    );
    expect(notes).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('reject if one of them fails', async () => {
    const failing = { touched: nothing, run: () => Promise.reject(new Error('no')) };
    const failure = await sideBySide([failing], 8).catch((error: unknown) => error);
    expect(String(failure)).to.equal('Error: no');
  });

  it('send no more requests at a time than allowed', async () => {
    let busy = 0;
    let most = 0;
    const target: Target = {
      url: '',
      context: '',
      close: async () => {},
      send: async () => {
        busy += 1;
        most = Math.max(most, busy);
        await turn();
        busy -= 1;
        return { status: 200, headers: {}, text: '' };
      },
    };
    const { send } = withJobs(target, 3);
    await Promise.all(Array.from({ length: 10 }, () => send({ method: 'GET', path: '/', headers: {} })));
    expect([most, busy]).to.deep.equal([3, 0]);
  });

  it('send first for whom the fewest requests are under way', async () => {
    const sent: string[] = [];
    const target: Target = {
      url: '',
      context: '',
      close: async () => {},
      send: async ({ path }) => {
        sent.push(path);
        await turn();
        return { status: 200, headers: {}, text: '' };
      },
    };
    const lane = lanesOf(target, 2);
    const [much, little] = [lane(1), lane(1)];
    const ask = (one: Target, path: string) => one.send({ method: 'GET', path, headers: {} });
    await Promise.all([...['/1', '/2', '/3', '/4'].map(path => ask(much, path)), ask(little, '/a')]);
    expect(sent).to.deep.equal(['/1', '/2', '/a', '/3', '/4']);
  });

  it('send first what is heaviest', async () => {
    const sent: string[] = [];
    const target: Target = {
      url: '',
      context: '',
      close: async () => {},
      send: async ({ path }) => {
        sent.push(path);
        await turn();
        return { status: 200, headers: {}, text: '' };
      },
    };
    const lane = lanesOf(target, 1);
    const [light, heavy] = [lane(1), lane(2)];
    const ask = (one: Target, path: string) => one.send({ method: 'GET', path, headers: {} });
    await Promise.all([...['/1', '/2'].map(path => ask(light, path)), ...['/a', '/b'].map(path => ask(heavy, path))]);
    expect(sent).to.deep.equal(['/1', '/a', '/b', '/2']);
  });
});
