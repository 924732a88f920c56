// Verifies requests: number, order and caller; and if they are missing, shows the nearest entries and how they differ.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type RequestDescription,
  type RequestPattern,
  requestPatternProblems,
} from '../../../server/scenario/verify/request-pattern.js';
import {
  callersIn,
  type RequestVerdict,
  type Unverified,
  verdictLines,
  verifyRequests,
} from '../../../server/scenario/verify/verify-requests.js';
import { adding, opened, sessionWith } from '../../support/worlds/sessions.js';

const join = { operation: 'groups.add-users' } as const;

/** A sandbox in which the users were added to the customers, one after the other. */
async function asked(users: readonly string[], journal = { entries: 100, bytes: 1024 * 1024 }) {
  const session = sessionWith({ journal });
  const sandbox = await opened(session, 'a');
  for (const user of users) await session.respond('a', adding(user, 'customers'));
  return sandbox;
}

/** A sandbox that was asked at these paths. */
async function askedAt(...urls: readonly string[]) {
  const session = sessionWith();
  const sandbox = await opened(session, 'a');
  for (const url of urls) await session.respond('a', { ...adding('alice'), url });
  return sandbox;
}

function failing(verdict: RequestVerdict): Unverified {
  return verdict.passes ? expect.fail(`it passes: ${JSON.stringify(verdict)}`) : verdict;
}

const adds = (user: unknown): RequestDescription => ({ ...join, body: { group: 'customers', users: [user] } });

describe('a request pattern', () => {
  /** What finds so many of three requests, the second of which is refused. */
  const patterns: ReadonlyArray<readonly [RequestPattern, count: number]> = [
    [{}, 3],
    [join, 3],
    [{ method: 'POST' }, 3],
    [{ caller: 'anonymous' }, 3],
    [{ status: 404 }, 1],
    [{ status: '2XX' }, 2],
    [{ path: '/rest/*/latest/groups/*' }, 3],
    [adds({ $match: '^(alice|carol)$' }), 2],
    [{ body: { $contains: { users: ['bob'] } } }, 1],
    [{ ...adds('bob'), method: 'POST', caller: 'anonymous', status: 404 }, 1],
    [{ operation: 'ppf.push' }, 0],
    [{ method: 'PUT' }, 0],
    [{ caller: 'alice' }, 0],
    [{ status: '5XX' }, 0],
    [{ path: '/rest/*/groups/*' }, 0],
    [{ body: { group: 'customers' } }, 0],
    [{ body: { $absent: true } }, 0],
    [{ query: { spaceKey: 'ds' } }, 0],
  ];
  it('finds just the matching requests', async () => {
    const sandbox = await asked(['alice', 'bob', 'carol']);
    for (const [wish, count] of patterns) {
      const verdict = await verifyRequests(sandbox, { ...wish, times: { exactly: count } });
      expect(verdict, JSON.stringify(wish)).to.include({ passes: true, count });
      expect(verdict.entries).to.have.lengthOf(count);
      expect(await verifyRequests(sandbox, wish)).to.include({ passes: count > 0 });
      expect(await verifyRequests(sandbox, { ...wish, times: count + 1 })).to.include({ passes: false });
    }
  });

  it('compares the parameters it names, and the first value of a repeated one', async () => {
    const sandbox = await askedAt('/rest/x?spaceKey=a+b&spaceKey=c&other=1');
    expect(await verifyRequests(sandbox, { query: { spaceKey: 'a b' } })).to.include({ passes: true });
    expect(
      failing(await verifyRequests(sandbox, { method: 'POST', query: { spaceKey: 'c' } })).nearest[0]?.differences,
    ).to.deep.equal([{ at: '/query/spaceKey', expected: 'c', found: 'a b', says: 'is "a b", not "c"' }]);
  });

  it('matches a path with and without the sandbox, and without the context path', async () => {
    const push = '/rest/cwx-ppf/latest/push';
    const sandbox = await askedAt(`/~a${push}`, `/wiki${push}?x=1`, '/~a/jira/rest/api/2/myself');
    for (const [path, entries] of [
      [push, [1, 2]],
      [`/~a${push}`, [1]],
      ['/rest/api/2/myself', [3]],
      ['/rest/api/latest/myself', [3]],
    ] as const)
      expect((await verifyRequests(sandbox, { path })).entries, path).to.deep.equal(entries);
  });
});

describe('a count', () => {
  it('is exact, at least, at most, or between', async () => {
    const sandbox = await asked(['alice', 'carol']);
    for (const [times, passes] of [
      [undefined, true],
      [{ exactly: 0 }, false],
      [{ atLeast: 3 }, false],
      [{ atMost: 2 }, true],
      [{ atMost: 1 }, false],
      [{ atLeast: 1, atMost: 3 }, true],
      [{ atLeast: 3, atMost: 4 }, false],
      [{ atLeast: 0 }, true],
    ] as const) {
      const verdict = await verifyRequests(sandbox, { ...join, ...(times && { times }) });
      expect(verdict, JSON.stringify(times)).to.deep.include({ passes, count: 2, entries: [1, 2] });
    }
  });

  it('reports that it may be too low if entries were dropped', async () => {
    const sandbox = await asked(['alice', 'bob', 'carol'], { entries: 2, bytes: 1024 * 1024 });
    const verdict = failing(await verifyRequests(sandbox, { ...join, times: { atLeast: 3 } }));
    expect(verdict).to.include({ count: 2, evicted: 1 });
    expect(verdictLines(verdict).at(-1)).to.equal(
      '1 earlier entry was discarded, so the count may be too low. To keep more entries, use --journal.',
    );
    expect(await verifyRequests(sandbox, { ...join, times: { exactly: 2 } })).to.include({ passes: true, evicted: 1 });
  });
});

describe('the nearest entries', () => {
  it('are at most three, by how much of the pattern they match, the latest first', async () => {
    const sandbox = await asked(['bob', 'alice', 'carol', 'dave', 'alice']);
    const verdict = failing(await verifyRequests(sandbox, { ...adds('alice'), status: 404 }));
    expect(verdict.nearest.map(({ entry }) => entry)).to.deep.equal([5, 2, 4]);
    expect(verdict.nearest[0]).to.deep.equal({
      entry: 5,
      asked: 'POST /rest/cwxapiextension/latest/groups/add-users',
      differences: [{ at: '/status', expected: 404, found: 200, says: 'is 200, not 404' }],
    });
  });

  it('show each place in the body that differs', async () => {
    const wish = { ...join, body: { group: 'customers', users: ['bob'], notify: true } };
    const verdict = failing(await verifyRequests(await asked(['alice']), wish));
    expect(verdict.nearest[0]?.differences).to.deep.equal([
      { at: '/body/users/0', expected: 'bob', found: 'alice', says: 'is "alice", not "bob"' },
      { at: '/body/notify', expected: true, says: 'is missing, but should be true' },
    ]);
    expect(verdictLines(verdict)).to.deep.equal([
      'Expected at least 1 request to groups.add-users with the body {"group":"customers","users":["bob"],"notify":true}; found 0.',
      'Entry 1, POST /rest/cwxapiextension/latest/groups/add-users: /body/users/0 is "alice", not "bob".',
      'Entry 1, POST /rest/cwxapiextension/latest/groups/add-users: /body/notify is missing, but should be true.',
    ]);
  });

  it('are the surplus requests if there were too many', async () => {
    const verdict = failing(
      await verifyRequests(await asked(['alice', 'alice', 'bob']), { ...adds('alice'), times: { atMost: 1 } }),
    );
    expect({ entries: verdict.entries, nearest: verdict.nearest }).to.deep.equal({ entries: [1, 2], nearest: [] });
    expect(verdictLines(verdict)[1]).to.equal('Matching: entries 1, 2.');
  });

  it('are missing if nothing is similar', async () => {
    const wish = { operation: 'ppf.push', caller: 'admin' };
    expect(failing(await verifyRequests(await asked(['alice']), wish)).nearest).to.deep.equal([]);
  });
});

describe('an order', () => {
  it('shows how far it was followed, and what came instead', async () => {
    const sandbox = await asked(['alice', 'bob', 'carol']);
    const verdict = failing(await verifyRequests(sandbox, { inOrder: [adds('bob'), adds('alice')] }));
    expect(verdict).to.deep.include({ count: 1, entries: [2] });
    expect(verdict.says).to.equal(
      'Expected request 2 of 2 to groups.add-users with the body {"group":"customers","users":["alice"]}, after entry 2; not found, only earlier, as entry 1',
    );
    expect(verdict.nearest.map(({ entry }) => entry)).to.deep.equal([3]);
  });

  it('passes just if the patterns match a subsequence of the requests', async () => {
    const users = ['alice', 'carol', 'demouser1'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...users), { maxLength: 8 }),
        fc.array(fc.constantFrom(...users), { minLength: 1, maxLength: 4 }),
        async (came, wished) => {
          const { passes } = await verifyRequests(await asked(came), { inOrder: wished.map(adds) });
          expect(passes).to.equal(new RegExp(wished.join('(,[a-z0-9]+)*?,')).test(came.join()));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('an invalid request pattern', () => {
  const errors = async (wish: unknown) => requestPatternProblems(wish, callersIn(await asked(['alice'])));
  /** By its place and its error. */
  const wrong: Readonly<Record<string, unknown>> = {
    '/times must have either "exactly", or one or both of "atLeast" and "atMost"': {
      times: { exactly: 1, atLeast: 1 },
    },
    '/times is impossible: atLeast 2 is more than atMost 1': { times: { atLeast: 2, atMost: 1 } },
    '/times is empty: add "exactly", "atLeast" or "atMost"': { times: {} },
    '/times/exactly must be at least 0, not -1': { times: { exactly: -1 } },
    '/operation Unknown operation "ppf.psh" (did you mean "ppf.push"?).': { operation: 'ppf.psh' },
    '/caller Unknown caller "Alice" (did you mean "alice"?).': { caller: 'Alice' },
    ' has an unknown field "calller" (did you mean "caller"?)': { calller: 'alice' },
    '/body/$mach Unknown matcher "$mach" (did you mean "$match"?): expected $any, $match, $contains or $absent.': {
      body: { $mach: 'a' },
    },
    '/body/$match "(" is not a valid regular expression: missing closing ): `(`.': { body: { $match: '(' } },
    '/inOrder must not be empty, but is an empty list': { inOrder: [] },
    '/caller cannot be combined with inOrder': { inOrder: [{}], caller: 'alice' },
    '/inOrder/0 has an unknown field "times"': { inOrder: [{ times: {} }] },
    '/inOrder/1/operation Unknown operation "x".': { inOrder: [{}, { operation: 'x' }] },
    '/path must be a path that begins with a slash, without the query, not "/a?b=c"': {
      path: '/a?b=c',
    },
    '/status must be a status, or a class such as 4XX, not "OK"': { status: 'OK' },
    ' must be an object, not an empty list': [],
  };
  it('is reported with its place and the nearest name', async () => {
    for (const [error, wish] of Object.entries(wrong))
      expect((await errors(wish)).map(({ pointer, message }) => `${pointer} ${message}`)).to.deep.equal([error]);
  });

  it('is not one that names a caller who was removed', async () => {
    const session = sessionWith();
    const sandbox = await opened(session, 'a');
    await session.respond('a', { ...adding('alice'), credentials: { kind: 'basic', user: 'alice', password: '' } });
    await session.change(sandbox, () => ({
      changes: [
        {
          type: 'world-patched',
          patch: {
            users: { alice: null },
            groups: { 'jira-core-users': ['carol'], 'team-members': [] },
            favourites: { alice: null },
            pages: { '65601': { author: 'admin', updatedBy: 'admin' } },
          },
        },
      ],
      result: undefined,
    }));
    expect(requestPatternProblems({ caller: 'alice' }, callersIn(sandbox))).to.deep.equal([]);
    expect(await verifyRequests(sandbox, { caller: 'alice' })).to.include({ passes: true, count: 1 });
  });
});
