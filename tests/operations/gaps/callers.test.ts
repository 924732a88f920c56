// The gaps about callers: who may call the wiki, wrong credentials, browsers, schemes, and licences.
import { expect } from 'chai';
import type { Credentials } from '../../../server/engine/request/request.js';
import { createFake } from '../../../server/index.js';
import { groupAccess } from '../../../server/operations/access.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectRefused, teamWith } from '../../support/worlds/judge.js';
import { idsWith, operationIds, ppfIds, validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

const guarded = idsWith('wiki-auth');

describe('gap wiki-auth', () => {
  for (const id of guarded) {
    const valid = validQuestions[id];
    for (const auth of ['authenticated', 'admin'] as const) {
      const refusal = { code: 'wiki-anonymous', message: new RegExp(`no credentials.*wiki-auth=${auth}`) };
      refuses({ 'wiki-anonymous': '401', 'wiki-auth': auth }, id, { ...valid, as: null, ...refusal });
    }
    const notAdmin = { status: 403, code: 'wiki-not-admin', message: /"alice".*wiki-auth=admin/ };
    refuses({ 'wiki-auth': 'admin' }, id, { ...valid, as: 'alice', ...notAdmin });

    it(`wiki-auth: ${id} accepts a permitted caller`, () => {
      for (const [reading, as] of [
        ['open', null],
        ['authenticated', 'alice'],
        ['admin', 'admin'],
      ] as const)
        expect(ask(id, { ...valid, as, readings: { 'wiki-auth': reading } }).status, reading).to.equal(200);
    });
  }

  it('wiki-anonymous=401: has a challenge, and wiki-anonymous=403 has none', () => {
    const refused = (reading: '401' | '403') =>
      ask('spaces.is-unique', { as: null, readings: { 'wiki-auth': 'admin', 'wiki-anonymous': reading } });
    expect(refused('401').response.headers['WWW-Authenticate']).to.match(/^Basic /);
    expect(refused('403').status).to.equal(403);
    expect(refused('403').response.headers).not.to.have.property('WWW-Authenticate');
  });

  const on = teamWith({
    spaces: { ds: { name: 'Demonstration Space', admins: ['demouser1'] } },
    pages: { '65601': { space: 'ds', title: 'Welcome', body: 'Hello', author: 'alice', edit: { users: ['carol'] } } },
  });
  for (const id of guarded)
    it(`wiki-auth=permitted: ${id} accepts those who are in charge, and answers 403 to other users`, () => {
      const valid = validQuestions[id];
      const query = { ...(valid.query as object), ...(id === 'spaces.copy' && { sourceSpaceKey: 'ds' }) };
      const permitted = (as: string) => ask(id, { ...valid, query, on, as, readings: { 'wiki-auth': 'permitted' } });
      expect(permitted('admin').status).to.equal(200);
      const { access, refusals, gaps } = operationOf(id) ?? expect.fail(`no operation ${id}`);
      const isAboutGroups = access === groupAccess;
      const isOfPage = gaps.includes('unknown-page');
      const isForAll = !isAboutGroups && !refusals.includes('wiki-not-permitted');
      expect(permitted('demouser1').status, 'an admin of the space').to.equal(isAboutGroups ? 403 : 200);
      expect(permitted('carol').status, 'an editor of the page').to.equal(isOfPage || isForAll ? 200 : 403);
      const other = permitted('alice');
      if (isForAll) return expect(other.status).to.equal(200);
      const code = isAboutGroups ? 'wiki-not-admin' : 'wiki-not-permitted';
      expectRefused(other, { status: 403, code, message: /^"alice" is not an .*\(wiki-auth=permitted\)/, on });
      expect(other.gaps).to.include({ 'wiki-auth': 'permitted' });
    });
});

describe('gap wiki-check-order', () => {
  const asked = { as: null, json: { group: 5, users: [] } };
  refuses({ 'wiki-check-order': 'access-first', 'wiki-auth': 'admin' }, 'groups.add-users', {
    ...asked,
    status: 401,
    code: 'wiki-anonymous',
    gaps: { 'wiki-check-order': 'access-first', 'wiki-auth': 'admin', 'wiki-anonymous': '401' },
  });
  const first = { 'wiki-check-order': 'validation-first', 'wiki-auth': 'admin' } as const;
  refuses(first, 'groups.add-users', {
    ...asked,
    status: 400,
    code: 'body-shape',
    gaps: { 'wiki-check-order': 'validation-first', 'field-type': '400' },
  });

  it('wiki-check-order=validation-first: does not reveal which users exist', () => {
    const json = { group: 'customers', users: ['bob'] };
    expect(ask('groups.add-users', { as: null, json, readings: first }).status).to.equal(401);
  });
});

describe('gap bad-credentials', () => {
  const wrong: [what: string, Credentials][] = [
    ['a wrong password', { kind: 'basic', user: 'admin', password: 'nope' }],
    ['an unknown user', { kind: 'basic', user: 'bob', password: '' }],
    ['an unknown token', { kind: 'bearer', token: 'nope' }],
    ['what cannot be read', { kind: 'unreadable', problem: 'Basic credentials lack a colon.', like: '' }],
  ];
  for (const [what, credentials] of wrong)
    it(`bad-credentials=anonymous: ${what} is the same as no credentials`, () => {
      for (const id of ['groups.add-users', 'ppf.push'] as const) {
        const readings = { 'bad-credentials': 'anonymous', 'wiki-auth': 'authenticated' } as const;
        const asked = ask(id, { ...validQuestions[id], credentials, readings });
        expect(asked.response).to.deep.equal(ask(id, { ...validQuestions[id], as: null, readings }).response);
        expect(asked.caller).to.deep.equal({ kind: 'anonymous' });
        expect(asked.gaps).to.include({ 'bad-credentials': 'anonymous' });
      }
    });

  it('bad-credentials: are checked before the request, whatever ppf-check-order is', () => {
    const credentials = { kind: 'bearer', token: 'x' } as const;
    const asked = ask('ppf.push', { json: {}, credentials, readings: { 'ppf-check-order': '400-first' } });
    expect(asked.refused).to.equal('bad-credentials');
  });
});

describe('gap browser-post', () => {
  it('browser-post=accept, browser-post=403: decides about every POST of a browser, and no other request', () => {
    for (const id of operationIds) {
      const asks = (question: Question, reading: 'accept' | '403' = '403') =>
        ask(id, { ...validQuestions[id], ...question, readings: { 'view-post': 'remove', 'browser-post': reading } });
      if (operationOf(id)?.method !== 'POST') expect(asks({ isSuspect: true }).status, id).to.equal(200);
      if (['permissions.edit-add', 'permissions.view-add'].includes(id)) continue; // POST is another operation there
      const suspect = { method: 'POST', isSuspect: true } as const;
      expect(asks(suspect, 'accept').status, id).to.equal(200);
      expectRefused(asks(suspect), { status: 403, code: 'xsrf-check', message: /^XSRF check failed: / });
      expect(asks({ method: 'POST' }).status, id).to.equal(200);
    }
  });

  const foreign = 'https://example.com';
  const requests: ReadonlyArray<readonly [Readonly<Record<string, string>>, number]> = [
    [{}, 200],
    [{ 'User-Agent': 'curl/8.5.0' }, 200],
    [{ 'User-Agent': 'Mozilla/5.0' }, 403],
    [{ 'User-Agent': 'Mozilla/5.0', 'X-Atlassian-Token': 'no-check' }, 200],
    [{ 'User-Agent': 'Mozilla/5.0', Origin: 'own' }, 200],
    [{ Origin: foreign }, 403],
    [{ Origin: foreign, 'X-Atlassian-Token': 'no-check' }, 200],
  ];
  it('browser-post=403: recognises a browser by its headers, and the journal can explain it', async () => {
    const fake = await createFake({ cors: [foreign], readings: { 'browser-post': '403' } });
    const sandbox = fake.sandbox();
    for (const [headers, status] of requests) {
      const sent = headers.Origin === 'own' ? { ...headers, Origin: new URL(sandbox.url).origin } : headers;
      const path = '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=ds&spaceName=Demo';
      const response = await sandbox.fetch(path, { method: 'POST', headers: sent });
      expect(response.status, JSON.stringify(headers)).to.equal(status);
      const [entry] = await sandbox.journal({ limit: 1 });
      const { under } = await sandbox.explain(entry?.id ?? 0, { 'browser-post': 'accept' });
      expect(under?.response.status).to.equal(200);
      expect(entry?.xsrfSuspect === true, 'in the journal').to.equal(status === 403);
    }
    await fake.stop();
  });
});

describe('gap auth-scheme', () => {
  const token = { kind: 'bearer', token: 'admin-token' } as const;
  const push = { credentials: token, json: { users: ['alice'], filters: [10500] } };
  const basic = { 'auth-scheme': 'basic' } as const;

  it('auth-scheme=all, auth-scheme=basic: a token or the cookie of a log-in identifies the caller, or does not', () => {
    for (const credentials of [token, { kind: 'proved', user: 'admin', scheme: 'cookie' }] as const) {
      const asked = ask('ppf.push', { ...push, credentials });
      expect(asked).to.deep.include({ status: 200, caller: { kind: 'user', name: 'admin' } });
      expect(ask('ppf.push', { ...push, credentials, readings: basic }).refused).to.equal('ppf-anonymous');
    }
  });

  const none = { ...token, token: 'none' };
  refuses({ 'ppf-anonymous': '403', ...basic }, 'ppf.push', { ...push, credentials: none, message: /no credentials/ });
  const add = { credentials: none, json: { group: 'customers', users: ['alice'] } };
  accepts(basic, 'groups.add-users', add, [{ type: 'group-member-added', group: 'customers', user: 'alice' }]);
});

describe('the licence', () => {
  const on = teamWith({ licence: { ppf: 'expired' } });
  for (const id of idsWith('wiki-licence'))
    it(`wiki-licence=not-needed, wiki-licence=needed: ${id} works without a licence, or gets 403`, () => {
      const question = { ...validQuestions[id], on };
      expect(ask(id, question).status).to.equal(200);
      const refused = ask(id, { ...question, readings: { 'wiki-licence': 'needed' } });
      expectRefused(refused, { status: 403, code: 'wiki-not-licensed', gaps: { 'wiki-licence': 'needed' }, on });
    });

  it('wiki-licence=needed: comes after the caller, and matters only without a licence', () => {
    const readings = { 'wiki-licence': 'needed', 'wiki-auth': 'authenticated' } as const;
    const asked = (question: Question) =>
      ask('spaces.is-unique', { ...validQuestions['spaces.is-unique'], readings, ...question });
    expect(asked({ on, as: null }).refused).to.equal('wiki-anonymous');
    expect(asked({ on, as: 'alice' }).refused).to.equal('wiki-not-licensed');
    expect(asked({ as: 'alice' }).gaps).not.to.have.property('wiki-licence');
  });

  for (const id of ppfIds) {
    const json = { users: ['alice'], filters: [10500] };
    for (const status of ['403', '401'] as const)
      it(`ppf.authenticated: ${id} without credentials gets ${status} and no challenge (ppf-anonymous=${status})`, () => {
        const readings = { 'ppf-anonymous': status };
        const asked = ask(id, { as: null, json, readings });
        const refusal = { status: Number(status), code: 'ppf-anonymous', rules: ['ppf.authenticated'], gaps: readings };
        expectRefused(asked, refusal);
        expect(asked.response.headers).not.to.have.property('WWW-Authenticate'); // Jira does not challenge
      });

    it(`ppf.licensed-only, ppf.admin-only: ${id} without a licence is 403 under every reading, after the check for an admin`, () => {
      for (const licence of ['expired', 'none'] as const) {
        const without = teamWith({ licence: { ppf: licence } });
        const refused = ask(id, { on: without, json, readings: { 'ppf-anonymous': '401' } });
        const rules = ['ppf.licensed-only'];
        expectRefused(refused, { status: 403, code: 'ppf-not-licensed', rules, gaps: {}, on: without });
        const alice = ask(id, { on: without, as: 'alice', json });
        expect(alice).to.deep.include({ status: 403, refused: 'ppf-not-admin' });
        expect(alice.rules).not.to.include('ppf.licensed-only');
        expect(ask(id, { on: without, as: null, json }).refused).to.equal('ppf-anonymous');
      }
    });
  }
});

describe('gap ppf-check-order', () => {
  const callers = [
    [{ as: null }, 'ppf-anonymous'],
    [{ as: 'alice' }, 'ppf-not-admin'],
    [{ on: teamWith({ licence: { ppf: 'expired' } }) }, 'ppf-not-licensed'],
  ] as const;
  const bodies = [
    [{ json: { filters: [10500] } }, 'ppf-no-recipient'],
    [{ json: { users: ['alice'] } }, 'ppf-no-item'],
    [{ json: { users: [1], filters: [10500] } }, 'body-shape'],
    [{ body: { kind: 'not-json', text: '{', problem: 'it ends' } }, 'body-not-json'],
  ] as const;
  const later = { 'ppf-check-order': '400-first' } as const;
  for (const id of ppfIds)
    for (const [caller, denied] of callers)
      it(`ppf-check-order=403-first, ppf-check-order=400-first: ${id}, ${denied} and an invalid body`, () => {
        for (const [body, invalid] of bodies) {
          const [first, last] = [ask(id, { ...caller, ...body }), ask(id, { ...caller, ...body, readings: later })];
          expect(first).to.include({ status: 403, refused: denied });
          expect(first.gaps).to.include({ 'ppf-check-order': '403-first' });
          expect(first.rules).not.to.include('ppf.invalid-is-400');
          expect(last).to.include({ status: 400, refused: invalid });
          expect(last.gaps).to.include(later);
          expect(last.rules).not.to.include.oneOf(['ppf.authenticated', 'ppf.admin-only', 'ppf.licensed-only']);
        }
        expect(ask(id, { ...caller, ...validQuestions[id], readings: later }).refused).to.equal(denied);
      });
});
