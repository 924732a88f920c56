// Calibrates servers that are something else, or broken: it draws no conclusions from unrelated responses, and does not crash.
import { expect } from 'chai';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { operations } from '../../../server/operations/catalog.js';
import { calibrate } from '../../../server/remote/calibrate/calibrate.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { type Answering, calibrating, type Fakes, fakes, unmapped } from '../../support/other-servers/calibrating.js';
import { expectNothingFalse } from '../../support/other-servers/refusing.js';

const always =
  (status: number, text = ''): Answering =>
  async () => ({ status, headers: {}, text });

async function failure(run: Promise<unknown>): Promise<Error> {
  try {
    await run;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}

describe('calibrating a server that is something else', () => {
  const nothingThere = 'at paths at which there is nothing, too';
  for (const [what, send, why] of [
    ['that answers 200 to everything', always(200), `it answers 200 ${nothingThere}`],
    ['that answers 204 to everything', always(204), `it answers 204 ${nothingThere}`],
    ['that says {} to everything', always(200, '{}'), `it answers 200 ${nothingThere}`],
    ['of web pages', always(200, '<!doctype html><title>Welcome</title>'), `it answers 200 ${nothingThere}`],
    [
      'that says what it hears',
      async ({ body = '' }: HttpRequest) => ({ status: 200, headers: {}, text: String(body) }),
      `it answers 200 ${nothingThere}`,
    ],
    ['that sends everyone to a login', always(302), 'the wiki operations are not there: they answer 302'],
    ['that is broken', always(500, 'oops'), 'the wiki operations are not there: they answer 500'],
    ['that lets nobody in', always(401), 'the wiki operations refuse admin with 401'],
    ['that forbids everything', always(403), 'the wiki operations refuse admin with 403'],
  ] as const) {
    it(`one ${what}: no gap is known, and each has a reason`, async () => {
      const { findings, readings } = await calibrating(send);
      expect(readings).to.deep.equal({});
      const undetermined = findings.map(finding => ('undetermined' in finding ? finding.undetermined : 'known'));
      expect(undetermined[0]).to.equal(why);
      expect(undetermined.filter(text => text === 'known' || text === '')).to.deep.equal([]);
      expect(findings.flatMap(({ observations }) => observations)).to.deep.equal([]);
    });
  }

  it('one that refuses every user: a wrong password is not repeated until the user is locked out', async () => {
    const asked: string[] = [];
    await calibrating(async ({ path }) => {
      asked.push(path.split('?', 1)[0] ?? '');
      return { status: 401, headers: {}, text: '' };
    });
    expect(asked).to.deep.equal([
      '/rest/cwx-nothing-K3F9Z2/latest/spaces/isUnique',
      '/rest/cwxapiextension/latest/spaces/isUnique',
      '/rest/cwx-ppf/latest/push',
    ]);
  });

  it('one that answers 404 to everything: the URL may lack the context path, or have another', async () => {
    const without = await failure(calibrating(always(404)));
    expect(without).to.be.instanceOf(Unreachable);
    expect(without.message).to.equal(
      'http://server.test answers 404 to everything: if the server has a context path, it belongs into the URL, as in http://server.test/wiki',
    );
    expect((await failure(calibrating(always(404), '/wiki'))).message).to.equal(
      'http://server.test/wiki answers 404 to everything: perhaps the server has another context path than /wiki, or none',
    );
  });

  it('one that is unreachable: it rejects', async () => {
    const gone = new Unreachable('http://server.test does not answer: the connection is refused');
    expect(await failure(calibrating(() => Promise.reject(gone)))).to.equal(gone);
  });
});

describe('calibrating a server that is partly broken', function () {
  this.timeout(120_000);
  let all: Fakes;
  before(async () => {
    all = await fakes();
  });
  after(() => all.assembled.end());

  for (const operation of operations.filter(({ id }) => id === 'groups.add-users' || id === 'ppf.push')) {
    it(`where ${operation.id} always refuses, no gap gets a reading that the server does not follow`, () =>
      expectNothingFalse(all, operation)); // tests/proof/calibrate has the others
  }

  it('one that breaks off during a probe leaves that gap open, and decides the others', async () => {
    const send = await all.fresh({});
    const { findings, readings } = await calibrating(async request => {
      if (request.path.endsWith('/groups/set-users')) throw new Unreachable('the connection closes without an answer');
      return send(request);
    });
    expect(findings.find(({ gap }) => gap === 'set-users-empty')).to.deep.include({
      undetermined: 'the connection closes without an answer',
      candidates: ['clears', '400'],
    });
    expect(readings).to.include({ 'unknown-user': '404', 'ppf-error-body': 'jira' });
    expect(readings).to.not.have.property('set-users-empty');
  });

  it('one that goes down is reported as unreachable', async () => {
    const send = await all.fresh({});
    let left = 40;
    const gone = new Unreachable('http://server.test does not answer: the connection is refused');
    expect(await failure(calibrating(async request => (left-- > 0 ? send(request) : Promise.reject(gone))))).to.equal(
      gone,
    );
  });

  it('one whose responses match no reading: each response is reported', async () => {
    const send = await all.fresh({});
    const { findings } = await calibrating(async request => {
      const answer = await send(request);
      return String(request.body).includes('cwx-nobody') && answer.status === 404 ? { ...answer, status: 422 } : answer;
    });
    expect(findings.find(({ gap }) => gap === 'unknown-user')).to.deep.include({
      undetermined:
        'it answers like none of its readings: POST /rest/cwxapiextension/latest/groups/add-users answers 422',
      candidates: [],
    });
  });

  it('a bug of the program is no finding', async () => {
    const bug = new TypeError('x is undefined');
    const send = await all.fresh({});
    const run = calibrating(async request => {
      if (request.path.endsWith('/groups/set-users')) throw bug;
      return send(request);
    });
    expect(await failure(run)).to.equal(bug);
  });

  it('a step that cannot be sent there is skipped, with its reason', async () => {
    const send = await all.fresh({ 'wiki-auth': 'admin' });
    const probes = unmapped.map(probe => ({
      ...probe,
      reasons: new Map(
        probe.loaded.steps.flatMap(({ as }, i) => (as === 'carol' ? [[i, 'no password is known for carol']] : [])) as [
          number,
          string,
        ][],
      ),
    }));
    const target = { url: 'http://server.test', context: '', send, close: async () => {} };
    const { findings } = await calibrate(target, probes, { run: 'K3F9Z2' });
    expect(findings.find(({ gap }) => gap === 'wiki-auth')).to.deep.include({
      undetermined: 'between authenticated and admin: no password is known for carol',
      candidates: ['authenticated', 'admin'],
    });
  });

  it('once interrupted, it sends nothing more and reports the open gaps', async () => {
    const send = await all.fresh({});
    const stop = new AbortController();
    let asked = 0;
    const target = { url: '', context: '', close: async () => {}, send: (request: HttpRequest) => send(request) };
    const { findings, readings } = await calibrate(target, unmapped, {
      run: 'K3F9Z2',
      signal: stop.signal,
      jobs: 1,
      asked: () => {
        asked++;
        if (asked === 10) stop.abort();
      },
    });
    expect(asked).to.equal(10);
    expect(Object.keys(readings)).to.include.members(['wiki-prefix', 'context-path']);
    expect(findings.find(({ gap }) => gap === 'ppf-error-body')).to.deep.include({
      undetermined: 'it was interrupted',
    });
  });
});
