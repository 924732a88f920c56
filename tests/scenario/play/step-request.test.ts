// Builds the request of a step: caller, URL, readings and bytes. How a call becomes a request: tests/derive/sending.
import { expect } from 'chai';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { requestOfStep, type StepContext } from '../../../server/scenario/play/step-request.js';
import { basic } from '../../support/wire/server.js';
import { smallTeam } from '../../support/worlds/ask.js';

const ask = (step: Partial<Step>, more: Partial<StepContext> = {}) => {
  const usual = { world: smallTeam, passwords: new Map(), context: '', readings: {}, asksReadings: false };
  return requestOfStep({ say: 'It asks.', ...step }, { ...usual, ...more });
};
const headersOf = (...given: Parameters<typeof ask>) => ask(...given)?.headers;
const pathOf = (...given: Parameters<typeof ask>) => ask(...given)?.path;

const WIKI = '/rest/cwxapiextension/latest';
const BARE = '/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';
const get = { method: 'GET', path: '/x' };

describe('the request of a step', () => {
  it('is missing if the step has none', () => {
    expect(ask({ as: 'admin', readings: { 'wiki-auth': 'admin' } })).to.equal(undefined);
  });

  const callers: ReadonlyArray<readonly [as: Step['as'], authorization: string | undefined]> = [
    ['carol', basic('carol', 'carol')],
    ['alice', basic('alice', 'alice')], // without a password, her name
    ['nobody', basic('nobody', 'nobody')],
    ['__proto__', basic('__proto__', '__proto__')],
    [{ user: 'carol', password: 'wrong: "ü"' }, basic('carol', 'wrong: "ü"')],
    [{ user: 'carol', password: '' }, basic('carol', '')],
    [{ token: 'admin-token' }, 'Bearer admin-token'],
    ['anonymous', undefined],
    [undefined, undefined],
  ];
  it('has a caller, with the password of the world, of its own, or one that was given', () => {
    for (const [as, authorization] of callers) {
      const expected = authorization === undefined ? {} : { Authorization: authorization };
      const who = as === undefined ? {} : { as };
      expect(headersOf({ ...who, call: 'spaces.is-unique' })).to.deep.equal(expected);
      expect(headersOf({ ...who, request: get })).to.deep.equal(expected);
    }
    const passwords = new Map([['carol', 'given']]);
    const authorized = (as: Step['as'] & {}) => headersOf({ as, call: 'ppf.push' }, { passwords })?.Authorization;
    expect(authorized('carol')).to.equal(basic('carol', 'given'));
    expect(authorized({ user: 'carol', password: 'own' })).to.equal(basic('carol', 'own'));
  });

  it('calls an operation with its parts, or another method; null is a body', () => {
    expect(ask({ call: 'permissions.edit-add', path: { pageId: 65601 }, body: { users: ['alice'] } })).to.deep.equal({
      method: 'PUT',
      path: `${WIKI}/permissions/edit/65601`,
      headers: { 'Content-Type': 'application/json' },
      body: '{"users":["alice"]}',
    });
    expect(pathOf({ call: 'spaces.is-unique', query: { spaceKey: ['a', 1, true], x: [], y: '' } })).to.equal(
      `${WIKI}/spaces/isUnique?spaceKey=a&spaceKey=1&spaceKey=true&y=`,
    );
    expect(ask({ call: 'permissions.edit-remove', method: 'POST', path: { pageId: 1 } })?.method).to.equal('POST');
    expect(ask({ call: 'ppf.push', body: null })?.body).to.equal('null');
    expect(ask({ call: 'ppf.push' })).to.not.have.property('body');
  });

  it('finds the operations below the context path of the target, else of the readings, and at the known prefix', () => {
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
    const step: Partial<Step> = { call: 'spaces.copy', readings: { 'wiki-prefix': 'bare', 'context-path': '/w' } };
    expect(pathOf(step, { asksReadings: true, readings: { 'wiki-prefix': 'rest-api' } })).to.equal(
      `/w${BARE}/spaces/copySpace`,
    );
  });

  it('sends the readings of the step only to targets that understand them', () => {
    const readings = { 'unknown-user': '400', 'wiki-auth': 'admin' } as const;
    for (const asked of [{ call: 'ppf.push' }, { request: get }] satisfies Partial<Step>[]) {
      expect(headersOf({ ...asked, readings }, { asksReadings: true })).to.deep.equal({
        'X-Fake-Reading': 'unknown-user=400, wiki-auth=admin',
      });
      expect(headersOf({ ...asked, readings }, { asksReadings: false })).to.deep.equal({});
      expect(headersOf({ ...asked, readings: {} }, { asksReadings: true })).to.deep.equal({});
    }
  });

  it('sends a raw request unchanged: text as text, even if empty, base 64 as bytes, its own Authorization', () => {
    const request = { method: 'PATCH', path: '/a/../b//?x=%2F&&=', headers: { 'x-a': '1', 'X-B': '' }, body: '{"a":' };
    expect(ask({ request })).to.deep.equal(request);
    const raw = (body: string | { base64: string }) => ask({ request: { ...get, body } })?.body;
    expect([raw('ü'), raw('')]).to.deep.equal(['ü', '']);
    expect(Buffer.from(raw({ base64: '/wD+' }) ?? '')).to.deep.equal(Buffer.from([0xff, 0, 0xfe]));
    expect(Buffer.from(raw({ base64: '' }) ?? 'x')).to.have.length(0);
    for (const name of ['Authorization', 'authorization', 'AUTHORIZATION']) {
      const headers = { [name]: 'Digest x' };
      expect(headersOf({ as: 'admin', request: { ...get, headers } })).to.deep.equal(headers);
    }
  });

  it('sends a raw request below the context path of the target unless it has its own', () => {
    const context = '/wiki';
    expect(pathOf({ request: get }, { context })).to.equal('/wiki/x');
    expect(pathOf({ request: { ...get, context: '' } }, { context })).to.equal('/x');
    expect(pathOf({ request: { ...get, context: '/other' } }, { context })).to.equal('/other/x');
    expect(pathOf({ request: get }, { readings: { 'context-path': '/w' } })).to.equal('/w/x');
  });
});
