// Each reading of the gaps about callers: who may call the wiki, and what wrong credentials get.
import { expect } from 'chai';
import type { Credentials } from '../../../server/engine/request/request.js';
import { createFake } from '../../../server/index.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { expectRefused, teamWith } from '../../support/worlds/judge.js';
import { operationIds, ppfIds, validQuestions, wikiIds } from '../../support/worlds/valid.js';

describe('gap wiki-auth', () => {
  for (const id of wikiIds) {
    const valid = validQuestions[id];

    it(`wiki-auth=open: ${id} accepts anyone`, () => {
      for (const as of [null, 'alice']) {
        const asked = ask(id, { ...valid, as });
        expect(asked.status).to.equal(200);
        expect(asked.gaps).to.include({ 'wiki-auth': 'open' });
      }
    });

    it(`wiki-auth=authenticated: ${id} accepts any user, and answers 401 without one`, () => {
      const readings = { 'wiki-auth': 'authenticated' } as const;
      const user = ask(id, { ...valid, as: 'alice', readings });
      expect(user.status).to.equal(200);
      expect(user.gaps).to.include({ 'wiki-auth': 'authenticated' });
      const nobody = ask(id, { ...valid, as: null, readings });
      expectRefused(nobody, {
        status: 401,
        code: 'wiki-anonymous',
        message: /requires a user of the wiki \(wiki-auth=authenticated\)/,
        gaps: { 'wiki-auth': 'authenticated', 'wiki-anonymous': '401' },
      });
      expect(nobody.response.headers['WWW-Authenticate']).to.match(/^Basic /);
    });

    it(`wiki-auth=admin: ${id} accepts admins, and answers 401 or 403 to others`, () => {
      const readings = { 'wiki-auth': 'admin' } as const;
      expect(ask(id, { ...valid, readings }).status).to.equal(200);
      expectRefused(ask(id, { ...valid, as: 'alice', readings }), {
        status: 403,
        code: 'wiki-not-admin',
        message: '"alice" is not an admin: this operation requires one (wiki-auth=admin).',
        gaps: { 'wiki-auth': 'admin' },
      });
      expectRefused(ask(id, { ...valid, as: null, readings }), {
        status: 401,
        code: 'wiki-anonymous',
        message: /requires a user of the wiki \(wiki-auth=admin\)/,
        gaps: { 'wiki-auth': 'admin', 'wiki-anonymous': '401' },
      });
    });

    it(`wiki-anonymous=403: ${id} refuses callers without credentials as users who are not permitted`, () => {
      const readings = { 'wiki-auth': 'admin', 'wiki-anonymous': '403' } as const;
      const nobody = ask(id, { ...valid, as: null, readings });
      expectRefused(nobody, { status: 403, code: 'wiki-anonymous', message: /no credentials/, gaps: readings });
      expect(nobody.response.headers).not.to.have.property('WWW-Authenticate');
    });

    it(`wiki-auth: does not decide if an admin calls ${id}`, () => {
      for (const reading of ['open', 'authenticated', 'admin', 'permitted'] as const) {
        expect(ask(id, { ...valid, readings: { 'wiki-auth': reading } }).gaps).not.to.have.property('wiki-auth');
      }
    });
  }

  const on = teamWith({
    spaces: { ds: { name: 'Demonstration Space', admins: ['demouser1'] } },
    pages: { '65601': { space: 'ds', title: 'Welcome', body: 'Hello', author: 'alice', edit: { users: ['carol'] } } },
  });
  const ofPage = wikiIds.filter(id => /permissions|replace/.test(id));
  const inSpace = { 'spaces.copy': { sourceSpaceKey: 'ds' } } as Partial<Record<OperationId, object>>;
  for (const id of wikiIds) {
    const valid = validQuestions[id];
    const question = { ...valid, query: { ...(valid.query as object), ...inSpace[id] }, on };
    const permitted = (as: string) => ask(id, { ...question, as, readings: { 'wiki-auth': 'permitted' } });

    it(`wiki-auth=permitted: ${id} accepts those who are in charge, and answers 403 to other users`, () => {
      expect(permitted('admin').status).to.equal(200);
      const isAboutGroups = id.startsWith('groups.');
      expect(permitted('demouser1').status, 'an admin of the space').to.equal(isAboutGroups ? 403 : 200);
      const isForAll = id === 'spaces.is-unique';
      expect(permitted('carol').status, 'an editor of the page').to.equal(ofPage.includes(id) || isForAll ? 200 : 403);
      if (isForAll) return expect(permitted('alice').status).to.equal(200);
      const who = isAboutGroups
        ? 'an admin'
        : ofPage.includes(id)
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

  it('wiki-auth=admin: checks access before the request', () => {
    expect(ask('groups.add-users', { as: 'alice', json: 7, readings: { 'wiki-auth': 'admin' } }).status).to.equal(403);
  });

  it('wiki-auth: does not affect push and pull', () => {
    for (const id of ppfIds) {
      const asked = ask(id, { ...validQuestions[id], as: null, readings: { 'wiki-auth': 'open' } });
      expect(asked.status).to.equal(403);
      expect(asked.gaps).not.to.have.property('wiki-auth');
    }
  });
});

describe('gap bad-credentials', () => {
  const wrong: [what: string, Credentials, message: string][] = [
    ['a wrong password', { kind: 'basic', user: 'admin', password: 'nope' }, 'Wrong password for "admin".'],
    ['an unknown user', { kind: 'basic', user: 'bob', password: '' }, 'There is no user named "bob".'],
    ['an unknown token', { kind: 'bearer', token: 'nope' }, 'No user of this world has that token.'],
    [
      'what cannot be read',
      { kind: 'unreadable', problem: 'Basic credentials lack a colon.', like: '' },
      'Basic credentials lack a colon.',
    ],
  ];
  for (const id of operationIds) {
    for (const [what, credentials, message] of wrong) {
      for (const status of [401, 403] as const) {
        it(`bad-credentials=${status}: ${id} with ${what}`, () => {
          const asked = ask(id, { ...validQuestions[id], credentials, readings: { 'bad-credentials': `${status}` } });
          const scheme = credentials.kind === 'bearer' && { 'auth-scheme': 'all' };
          const gaps = { 'bad-credentials': `${status}`, ...scheme };
          expectRefused(asked, { status, code: 'bad-credentials', message, gaps });
          expect(asked.response.headers['WWW-Authenticate'] !== undefined).to.equal(status === 401);
          expect(asked.operation).to.equal(id);
          expect(asked.caller).to.equal(undefined);
        });
      }
    }
  }

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

  it('bad-credentials: wrong ones count even if none are required', () => {
    const credentials = { kind: 'basic', user: 'admin', password: 'x' } as const;
    const asked = ask('spaces.is-unique', { query: { spaceKey: 'x', spaceName: 'x' }, credentials });
    expect(asked.status).to.equal(401);
    expect(asked.gaps).not.to.have.property('wiki-auth');
  });

  it('bad-credentials: are checked before the request, whatever ppf-check-order is', () => {
    const credentials = { kind: 'bearer', token: 'x' } as const;
    const asked = ask('ppf.push', { json: {}, credentials, readings: { 'ppf-check-order': '400-first' } });
    expect(asked.refused).to.equal('bad-credentials');
    expect(asked.gaps).not.to.have.property('ppf-check-order');
  });
});

describe('gap browser-post', () => {
  for (const id of operationIds) {
    const question = { ...validQuestions[id], method: 'POST', isSuspect: true } as const;
    const headings: SomeReadings = { 'view-post': 'remove' };
    const asks = (readings: SomeReadings, more = {}) =>
      ask(id, { ...question, readings: { ...headings, ...readings }, ...more });
    if (['permissions.edit-add', 'permissions.view-add'].includes(id)) continue; // POST is another operation there

    it(`browser-post=accept: ${id} accepts it`, () => {
      const asked = asks({});
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.include({ 'browser-post': 'accept' });
    });

    it(`browser-post=403: ${id} refuses it, whoever asks`, () => {
      const asked = asks({ 'browser-post': '403' });
      expectRefused(asked, { status: 403, code: 'xsrf-check', message: /^XSRF check failed: / });
      expect(asked.gaps).to.include({ 'browser-post': '403' });
      expect(asks({ 'browser-post': '403' }, { isSuspect: undefined }).status).to.equal(200);
    });
  }

  it('browser-post=403: does not affect other methods', () => {
    for (const id of ['permissions.edit-add', 'permissions.view-remove'] as const) {
      const asked = ask(id, { ...validQuestions[id], isSuspect: true, readings: { 'browser-post': '403' } });
      expect([asked.status, asked.gaps['browser-post']]).to.deep.equal([200, undefined]);
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
      expect(entry?.suspect === true, 'in the journal').to.equal(status === 403);
      await fake.stop();
    });
});
