// The gaps about callers: who may call the wiki, wrong credentials, browsers, schemes, and licences.
import { expect } from 'chai';
import type { Credentials } from '../../../server/engine/request/request.js';
import { createFake } from '../../../server/index.js';
import { groupAccess } from '../../../server/operations/access.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectRefused, teamWith } from '../../support/worlds/judge.js';
import { idsWith, operationIds, ppfIds, validQuestions } from '../../support/worlds/valid.js';
import { refuses } from './gap-tests.js';

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
  }

  it('wiki-anonymous=401: has a challenge, and wiki-anonymous=403 has none', () => {
    for (const reading of ['401', '403'] as const) {
      const readings = { 'wiki-auth': 'admin', 'wiki-anonymous': reading } as const;
      const { headers } = ask('spaces.is-unique', { as: null, readings }).response;
      expect('WWW-Authenticate' in headers, reading).to.equal(reading === '401');
    }
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

describe('gap bad-credentials', () => {
  const wrong: Credentials[] = [
    { kind: 'basic', user: 'admin', password: 'nope' },
    { kind: 'basic', user: 'bob', password: '' },
    { kind: 'bearer', token: 'nope' },
    { kind: 'unreadable', problem: 'Basic credentials lack a colon.', like: '' },
  ];
  it('bad-credentials=anonymous: they are the same as no credentials', () => {
    const readings = { 'bad-credentials': 'anonymous', 'wiki-auth': 'authenticated' } as const;
    for (const credentials of wrong)
      for (const id of ['groups.add-users', 'ppf.push'] as const) {
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
    expect(asked({ as: 'alice' }).gaps).not.to.have.property('wiki-licence');
  });

  const withoutAny = teamWith({ licence: { ppf: 'none' } });
  for (const id of ppfIds)
    it(`ppf.authenticated, ppf.admin-only, ppf.licensed-only: ${id} is refused in this order, without a challenge`, () => {
      const json = { users: ['alice'], filters: [10500] };
      for (const status of ['403', '401'] as const) {
        const gaps = { 'ppf-anonymous': status };
        const asked = ask(id, { as: null, on: withoutAny, json, readings: gaps });
        const rules = ['ppf.authenticated'];
        expectRefused(asked, { status: Number(status), code: 'ppf-anonymous', rules, gaps, on: withoutAny });
        expect(asked.response.headers).not.to.have.property('WWW-Authenticate'); // Jira does not challenge
      }
      for (const on of [teamWith({ licence: { ppf: 'expired' } }), withoutAny]) {
        const rules = ['ppf.licensed-only'];
        expectRefused(ask(id, { on, json }), { status: 403, code: 'ppf-not-licensed', rules, gaps: {}, on });
        const alice = ask(id, { on, as: 'alice', json });
        expect(alice).to.deep.include({ status: 403, refused: 'ppf-not-admin' });
        expect(alice.rules).not.to.include('ppf.licensed-only');
      }
    });
});
