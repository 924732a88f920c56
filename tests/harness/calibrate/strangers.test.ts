// Calibrates servers that are something else, or partly broken: without conclusions from unrelated responses.
import { expect } from 'chai';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { calibrating, fresh, type Responding, unmapped } from '../../support/other-servers/calibrating.js';
import { expectNothingFalse } from '../../support/other-servers/refusing.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { failure } from '../../support/worlds/failure.js';

const always =
  (status: number, text = ''): Responding =>
  async () => ({ status, headers: {}, text });

describe('calibrating another server', () => {
  for (const [what, send] of [
    ['responds to everything with an empty object', always(200, '{}')],
    ['responds to everything with a web page', always(200, '<!doctype html><title>Welcome</title>')],
    ['echoes', async ({ body = '' }: HttpRequest) => ({ status: 200, headers: {}, text: String(body) })],
    ['redirects everything', always(302)],
    ['is broken', always(500, 'oops')],
    ['forbids everything', always(403)],
  ] as const)
    it(`finds no reading and gives reasons if it ${what}`, async () => {
      const { findings, readings } = await calibrating(send);
      expect(readings).to.deep.equal({});
      expect(findings.filter(one => !('undetermined' in one) || one.undetermined === '')).to.deep.equal([]);
      expect(findings.flatMap(({ observations }) => observations)).to.deep.equal([]);
    });

  it('does not lock out a user whose password is wrong', async () => {
    const asked: string[] = [];
    await calibrating(async ({ path, headers }) => {
      if (headers.Authorization === `Basic ${btoa('admin:admin')}`) asked.push(path);
      return { status: 401, headers: {}, text: '' };
    });
    expect(asked.length).to.be.at.most(6);
  });

  it('rejects if everything is 404', async () => {
    await failure(calibrating(always(404)), Unreachable);
  });
});

describe('calibrating a server that is partly broken', () => {
  it('finds no wrong reading if adding users to a group always refuses', async () => {
    await expectNothingFalse(operationOf('groups.add-users') ?? expect.fail()); // tests/proof/harness has the others
  });

  const failingAt = (path: string, error: Error) => {
    const send = fresh({});
    return calibrating(async request => {
      if (request.path.endsWith(path)) throw error;
      return send(request);
    });
  };

  it('leaves a gap open if the connection breaks during its probe, and finds the others', async () => {
    const { findings, readings } = await failingAt('/groups/set-users', new Unreachable('the connection closes'));
    expect(findings.find(({ gap }) => gap === 'set-users-empty')).to.deep.include({
      undetermined: 'the connection closes',
      candidates: ['clears', '400'],
    });
    expect(readings).to.include({ 'unknown-user': '404', 'ppf-error-body': 'jira' });
  });

  it('rejects with a bug of the program', async () => {
    const bug = new TypeError('x is undefined');
    expect(await failure(failingAt('/groups/set-users', bug), TypeError)).to.equal(bug);
  });

  it('rejects if the server goes down', async () => {
    const send = fresh({});
    let left = 90;
    const gone = new Unreachable(`http://server.test does not respond: ${REFUSED}`);
    const run = calibrating(async request => (left-- > 0 ? send(request) : Promise.reject(gone)));
    expect(await failure(run, Unreachable)).to.equal(gone);
  });

  it('reports the response if no reading fits', async () => {
    const send = fresh({});
    const { findings } = await calibrating(async request => {
      const response = await send(request);
      return String(request.body).includes('cwx-new') && response.status === 404
        ? { ...response, status: 422 }
        : response;
    });
    expect(findings.find(({ gap }) => gap === 'unknown-user')).to.deep.include({
      undetermined: 'no reading fits: POST /rest/cwxapiextension/latest/groups/add-users responds with 422',
      candidates: [],
    });
  });

  it('skips a step that cannot be sent there, with its reason', async () => {
    const send = fresh({ 'wiki-auth': 'admin' });
    const played = unmapped.map(probe => ({
      ...probe,
      reasons: new Map(
        probe.loaded.steps.flatMap(({ as }, i) => (as === 'carol' ? [[i, 'no password'] as const] : [])),
      ),
    }));
    const { findings } = await calibrating(send, { played });
    expect(findings.find(({ gap }) => gap === 'wiki-auth')).to.deep.include({
      undetermined: 'between authenticated, admin and permitted: no password',
      candidates: ['authenticated', 'admin', 'permitted'],
    });
  });

  it('plays nothing more once it is interrupted, and restores', async () => {
    const send = fresh({});
    const stop = new AbortController();
    const { findings, readings, left } = await calibrating(
      async request => {
        if (request.path.endsWith('/cwx-ppf/latest/push') && String(request.body).includes('filters')) stop.abort();
        return send(request);
      },
      { signal: stop.signal },
    );
    expect(Object.keys(readings)).to.include.members(['wiki-prefix', 'context-path']).and.not.include('unknown-user');
    expect(findings).to.have.length.above(50);
    expect(findings.find(({ gap }) => gap === 'unknown-user')).to.include({ undetermined: 'it was interrupted' });
    expect(left).to.deep.equal([]);
  });
});
