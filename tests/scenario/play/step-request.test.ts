// Builds the request of a step: caller, URL, readings and bytes.
import { expect } from 'chai';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { requestOfStep, type StepContext } from '../../../server/scenario/play/step-request.js';
import { basic } from '../../support/wire/server.js';
import { smallTeam } from '../../support/worlds/ask.js';

const surroundings: StepContext = {
  world: smallTeam,
  passwords: new Map(),
  context: '',
  readings: {},
  asksReadings: false,
};
const ask = (step: Partial<Step>, more: Partial<StepContext> = {}) =>
  requestOfStep({ say: 'It asks.', ...step }, { ...surroundings, ...more });
const headersOf = (step: Partial<Step>, more: Partial<StepContext> = {}) => ask(step, more)?.headers;
const pathOf = (step: Partial<Step>, more: Partial<StepContext> = {}) => ask(step, more)?.path;

const WIKI = '/rest/cwxapiextension/latest';
const BARE = '/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';

describe('the request of a step', () => {
  it('is missing if the step has none', () => {
    expect(ask({})).to.equal(undefined);
    expect(ask({ as: 'admin', readings: { 'wiki-auth': 'admin' } })).to.equal(undefined);
  });

  describe('has a caller:', () => {
    const callers: ReadonlyArray<readonly [what: string, as: Step['as'], authorization: string | undefined]> = [
      ['a user whose password the world knows', 'carol', basic('carol', 'carol')],
      ['a user without a password, by its name', 'alice', basic('alice', 'alice')],
      ['a user that the world does not have, by its name', 'nobody', basic('nobody', 'nobody')],
      ['a user with the name of a property', '__proto__', basic('__proto__', '__proto__')],
      ['a user with a password of its own', { user: 'carol', password: 'wrong: "ü"' }, basic('carol', 'wrong: "ü"')],
      ['an empty password', { user: 'carol', password: '' }, basic('carol', '')],
      ['a token', { token: 'admin-token' }, 'Bearer admin-token'],
      ['anonymous', 'anonymous', undefined],
      ['no one', undefined, undefined],
    ];
    for (const [what, as, authorization] of callers)
      it(what, () => {
        const expected = authorization === undefined ? {} : { Authorization: authorization };
        const who = as === undefined ? {} : { as };
        expect(headersOf({ ...who, call: 'spaces.is-unique' })).to.deep.equal(expected);
        expect(headersOf({ ...who, request: { method: 'GET', path: '/' } })).to.deep.equal(expected);
      });

    it('with an explicit password', () => {
      const passwords = new Map([
        ['carol', 'given'],
        ['alice', 'given too'],
      ]);
      const authorized = (as: Step['as'] & {}) => headersOf({ as, call: 'ppf.push' }, { passwords })?.Authorization;
      expect(authorized('carol')).to.equal(basic('carol', 'given'));
      expect(authorized('alice')).to.equal(basic('alice', 'given too'));
      expect(authorized({ user: 'carol', password: 'own' })).to.equal(basic('carol', 'own'));
    });
  });

  describe('calls', () => {
    it('an operation with its method, path, query and body', () => {
      expect(ask({ call: 'permissions.edit-add', path: { pageId: 65601 }, body: { users: ['alice'] } })).to.deep.equal({
        method: 'PUT',
        path: `${WIKI}/permissions/edit/65601`,
        headers: { 'Content-Type': 'application/json' },
        body: '{"users":["alice"]}',
      });
      expect(pathOf({ call: 'spaces.is-unique', query: { spaceKey: 'A b', spaceName: '+%' } })).to.equal(
        `${WIKI}/spaces/isUnique?spaceKey=A+b&spaceName=%2B%25`,
      );
    });

    it('with another method if the step names one', () => {
      expect(ask({ call: 'permissions.edit-remove', method: 'POST', path: { pageId: 1 } })?.method).to.equal('POST');
    });

    it('with a list in the query as a repeated parameter', () => {
      expect(pathOf({ call: 'spaces.is-unique', query: { spaceKey: ['a', 'b', 1, true], x: [], y: '' } })).to.equal(
        `${WIKI}/spaces/isUnique?spaceKey=a&spaceKey=b&spaceKey=1&spaceKey=true&y=`,
      );
    });

    it('with null as a body, which differs from no body', () => {
      expect(ask({ call: 'ppf.push', body: null })?.body).to.equal('null');
      expect(ask({ call: 'ppf.push' })).to.not.have.property('body');
    });
  });

  describe('finds the operations', () => {
    it('below the context path of the target, else of the readings, and at the known prefix', () => {
      for (const [at, wiki, ppf = PPF] of [
        [{}, WIKI],
        [{ context: '/wiki' }, `/wiki${WIKI}`, `/wiki${PPF}`],
        [{ readings: { 'wiki-prefix': 'rest' } }, WIKI],
        [{ readings: { 'wiki-prefix': 'rest-api' } }, '/rest/api/cwxapiextension/latest'],
        [{ context: '/jira', readings: { 'wiki-prefix': 'bare' } }, `/jira${BARE}`, `/jira${PPF}`],
        [{ readings: { 'context-path': '/wiki' } }, `/wiki${WIKI}`],
        [{ readings: { 'context-path': 'none' } }, WIKI],
        [{ context: '/own', readings: { 'context-path': '/wiki' } }, `/own${WIKI}`, `/own${PPF}`],
      ] as ReadonlyArray<readonly [Partial<StepContext>, string, string?]>) {
        expect(pathOf({ call: 'spaces.copy' }, at), JSON.stringify(at)).to.equal(`${wiki}/spaces/copySpace`);
        expect(pathOf({ call: 'ppf.pull' }, at), JSON.stringify(at)).to.equal(`${ppf}/pull`);
      }
    });

    it('where the readings of the step put them', () => {
      const step: Partial<Step> = { call: 'spaces.copy', readings: { 'wiki-prefix': 'bare', 'context-path': '/w' } };
      expect(pathOf(step, { asksReadings: true, readings: { 'wiki-prefix': 'rest-api' } })).to.equal(
        '/w/cwxapiextension/latest/spaces/copySpace',
      );
    });
  });

  it('sends the readings of the step only to targets that understand them', () => {
    const readings = { 'unknown-user': '400', 'wiki-auth': 'admin' } as const;
    const request = { method: 'GET', path: '/' };
    for (const asked of [{ call: 'ppf.push' }, { request }] satisfies Partial<Step>[]) {
      expect(headersOf({ ...asked, readings }, { asksReadings: true })).to.deep.equal({
        'X-Fake-Reading': 'unknown-user=400, wiki-auth=admin',
      });
      expect(headersOf({ ...asked, readings }, { asksReadings: false })).to.deep.equal({});
      expect(headersOf({ ...asked, readings: {} }, { asksReadings: true })).to.deep.equal({});
    }
  });

  describe('with a raw request', () => {
    it('is sent unchanged', () => {
      const request = {
        method: 'PATCH',
        path: '/a/../b//?x=%2F&&=',
        headers: { 'x-a': '1', 'X-B': '' },
        body: '{"a":',
      };
      expect(ask({ request })).to.deep.equal(request);
    });

    it('sends text as text, even if empty, and base 64 as bytes', () => {
      const raw = (body: string | { base64: string }) => ask({ request: { method: 'POST', path: '/', body } })?.body;
      expect(raw('ü')).to.equal('ü');
      expect(raw('')).to.equal('');
      expect(Buffer.from(raw({ base64: '/wD+' }) ?? '')).to.deep.equal(Buffer.from([0xff, 0, 0xfe]));
      expect(Buffer.from(raw({ base64: '' }) ?? 'x')).to.have.length(0);
    });

    it('keeps its own Authorization header, in any case', () => {
      for (const name of ['Authorization', 'authorization', 'AUTHORIZATION']) {
        const request = { method: 'GET', path: '/', headers: { [name]: 'Digest x' } };
        expect(headersOf({ as: 'admin', request })).to.deep.equal({ [name]: 'Digest x' });
      }
    });

    it('lies below the context path of the target unless it has its own', () => {
      const request = { method: 'GET', path: '/x' };
      expect(pathOf({ request }, { context: '/wiki' })).to.equal('/wiki/x');
      expect(pathOf({ request: { ...request, context: '' } }, { context: '/wiki' })).to.equal('/x');
      expect(pathOf({ request: { ...request, context: '/other' } }, { context: '/wiki' })).to.equal('/other/x');
      expect(pathOf({ request }, { readings: { 'context-path': '/w' } })).to.equal('/w/x');
    });
  });
});
