// Each reading of the gaps about callers: who may call the wiki, and what wrong credentials get.
import { expect } from 'chai';
import type { Credentials } from '../../../server/engine/request/request.js';
import { createFake } from '../../../server/index.js';
import { groupAccess } from '../../../server/operations/access.js';
import { type OperationId, operationOf } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectRefused, teamWith } from '../../support/worlds/judge.js';
import { idsWith, operationIds, ppfIds, validQuestions } from '../../support/worlds/valid.js';
import { refuses } from './gap-tests.js';

const guarded = idsWith('wiki-auth');

describe('gap wiki-auth', () => {
  for (const id of guarded) {
    const valid = validQuestions[id];
    for (const [reading, as, status] of [
      ['open', null, 200],
      ['open', 'alice', 200],
      ['authenticated', 'alice', 200],
      ['admin', 'admin', 200],
    ] as const)
      it(`wiki-auth=${reading}: ${id} by ${as ?? 'an anonymous caller'} gets ${status}`, () => {
        expect(ask(id, { ...valid, as, readings: { 'wiki-auth': reading } }).status).to.equal(status);
      });

    for (const auth of ['authenticated', 'admin'] as const) {
      const refusal = { code: 'wiki-anonymous', message: new RegExp(`no credentials.*wiki-auth=${auth}`) };
      refuses({ 'wiki-anonymous': '401', 'wiki-auth': auth }, id, { ...valid, as: null, ...refusal });
      refuses({ 'wiki-anonymous': '403', 'wiki-auth': auth }, id, { ...valid, as: null, ...refusal });
    }
    refuses({ 'wiki-auth': 'admin' }, id, {
      ...valid,
      as: 'alice',
      status: 403,
      code: 'wiki-not-admin',
      message: /"alice".*wiki-auth=admin/,
    });
  }

  it('wiki-anonymous=401: has a challenge, and wiki-anonymous=403 has none', () => {
    const challenge = (reading: '401' | '403') =>
      ask('spaces.is-unique', { as: null, readings: { 'wiki-auth': 'admin', 'wiki-anonymous': reading } }).response
        .headers['WWW-Authenticate'];
    expect(challenge('401')).to.match(/^Basic /);
    expect(challenge('403')).to.equal(undefined);
  });

  const on = teamWith({
    spaces: { ds: { name: 'Demonstration Space', admins: ['demouser1'] } },
    pages: { '65601': { space: 'ds', title: 'Welcome', body: 'Hello', author: 'alice', edit: { users: ['carol'] } } },
  });
  const inSpace = { 'spaces.copy': { sourceSpaceKey: 'ds' } } as Partial<Record<OperationId, object>>;
  for (const id of guarded) {
    const valid = validQuestions[id];
    const question = { ...valid, query: { ...(valid.query as object), ...inSpace[id] }, on };
    const permitted = (as: string) => ask(id, { ...question, as, readings: { 'wiki-auth': 'permitted' } });

    it(`wiki-auth=permitted: ${id} accepts those who are in charge, and answers 403 to other users`, () => {
      expect(permitted('admin').status).to.equal(200);
      const { access, refusals, gaps } = operationOf(id) ?? expect.fail(`no operation ${id}`);
      const isAboutGroups = access === groupAccess;
      const isOfPage = gaps.includes('unknown-page');
      const isForAll = !isAboutGroups && !refusals.includes('wiki-not-permitted');
      expect(permitted('demouser1').status, 'an admin of the space').to.equal(isAboutGroups ? 403 : 200);
      expect(permitted('carol').status, 'an editor of the page').to.equal(isOfPage || isForAll ? 200 : 403);
      if (isForAll) return expect(permitted('alice').status).to.equal(200);
      const who = isAboutGroups
        ? 'an admin'
        : isOfPage
          ? 'an editor of the page or an admin of its space'
          : 'an admin of the space';
      const refused = permitted('alice');
      expectRefused(refused, {
        status: 403,
        code: isAboutGroups ? 'wiki-not-admin' : 'wiki-not-permitted',
        message: new RegExp(`^"alice" is not ${who}: this operation requires one \\(wiki-auth=permitted\\)`),
        on,
      });
      expect(refused.gaps).to.include({ 'wiki-auth': 'permitted' });
    });
  }

  it('wiki-auth=open: does not affect push and pull', () => {
    for (const id of ppfIds) expect(ask(id, { ...validQuestions[id], as: null }).status).to.equal(403);
  });
});

describe('gap wiki-check-order', () => {
  const asked = { as: null, json: { group: 5, users: [] } };
  const first = { 'wiki-check-order': 'validation-first', 'wiki-auth': 'admin' } as const;
  refuses({ 'wiki-check-order': 'access-first', 'wiki-auth': 'admin' }, 'groups.add-users', {
    ...asked,
    status: 401,
    code: 'wiki-anonymous',
    message: /no credentials/,
    gaps: { 'wiki-check-order': 'access-first', 'wiki-auth': 'admin', 'wiki-anonymous': '401' },
  });
  refuses(first, 'groups.add-users', {
    ...asked,
    status: 400,
    code: 'body-shape',
    message: '/group must be a string, not 5.',
    gaps: { 'wiki-check-order': 'validation-first', 'field-type': '400' },
  });

  it('wiki-check-order=validation-first: does not reveal which users exist', () => {
    for (const users of [['bob'], []])
      expect(
        ask('groups.add-users', { as: null, json: { group: 'customers', users }, readings: first }).status,
      ).to.equal(401);
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
  for (const id of operationIds) {
    if (['permissions.edit-add', 'permissions.view-add'].includes(id)) continue; // POST is another operation there
    const suspect = { ...validQuestions[id], method: 'POST', isSuspect: true } as const;
    const asks = (reading: 'accept' | '403', question: Question = suspect) =>
      ask(id, { ...question, readings: { 'view-post': 'remove', 'browser-post': reading } });

    it(`browser-post=accept: ${id} accepts it`, () => {
      expect(asks('accept').status).to.equal(200);
    });

    it(`browser-post=403: ${id} refuses it, and no other POST`, () => {
      expectRefused(asks('403'), { status: 403, code: 'xsrf-check', message: /^XSRF check failed: / });
      expect(asks('403', { ...validQuestions[id], method: 'POST' }).status).to.equal(200);
    });
  }

  it('browser-post=403: does not affect other methods', () => {
    for (const id of ['permissions.edit-add', 'permissions.view-remove'] as const) {
      const asked = ask(id, { ...validQuestions[id], isSuspect: true, readings: { 'browser-post': '403' } });
      expect(asked.status).to.equal(200);
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
  for (const [headers, status] of requests)
    it(`browser-post=403: a POST with ${JSON.stringify(headers)} gets ${status}`, async () => {
      const fake = await createFake({ cors: [foreign], readings: { 'browser-post': '403' } });
      const sandbox = fake.sandbox();
      const sent = headers.Origin === 'own' ? { ...headers, Origin: new URL(sandbox.url).origin } : headers;
      const path = '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=ds&spaceName=Demo';
      const response = await sandbox.fetch(path, { method: 'POST', headers: sent });
      expect(response.status).to.equal(status);
      const [entry] = await sandbox.journal();
      const { under } = await sandbox.explain(entry?.id ?? 0, { 'browser-post': 'accept' });
      expect(under?.response.status).to.equal(200);
      expect(entry?.xsrfSuspect === true, 'in the journal').to.equal(status === 403);
      await fake.stop();
    });
});
