// Which addresses are served under each reading, and the error for an unknown path.

import { expect } from 'chai';
import type { Result } from '../../../../server/engine/request/result.js';
import { runStages } from '../../../../server/engine/request/stages/run-stages.js';
import { meantBy } from '../../../../server/engine/request/stages/served-address.js';
import { defaultReadings, layReadings, type SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { smallTeam } from '../../../support/worlds/ask.js';
import { routedRequest } from '../../codec/walk.js';

/** A push, or an addition to a group, at any path that leads somewhere. */
function send(url: string, readings: SomeReadings = {}): Result {
  const value = url.includes('cwx-ppf')
    ? { users: ['alice'], filters: [10500] }
    : { group: 'customers', users: ['alice'] };
  const request = routedRequest({
    method: 'POST',
    url,
    credentials: { kind: 'basic', user: 'admin', password: 'admin' },
    contentType: 'application/json',
    body: { kind: 'json', value, text: '' },
  });
  return runStages(request, {
    world: smallTeam,
    readings: layReadings(defaultReadings, readings),
    now: '2026-01-05T09:00:00Z',
  });
}
const messageOf = ({ response }: Result): string => JSON.parse(response.body ?? '{}').message;

const add = '/groups/add-users';
const prefixes = {
  rest: `/rest/cwxapiextension/latest${add}`,
  'rest-api': `/rest/api/cwxapiextension/latest${add}`,
  bare: `/cwxapiextension/latest${add}`,
} as const;

describe('gap wiki-prefix', () => {
  for (const [prefix, path] of Object.entries(prefixes)) {
    it(`wiki-prefix=any: serves ${path}`, () => {
      const served = send(path);
      expect(served.response.status).to.equal(200);
      expect(served.rules).to.include('address.extension-path');
      expect(served.gaps).to.include({ 'wiki-prefix': 'any', 'context-path': 'any' });
    });

    for (const reading of ['rest', 'rest-api', 'bare'] as const) {
      const isServed = reading === prefix;
      it(`wiki-prefix=${reading}: ${isServed ? 'serves' : 'does not serve'} ${path}`, () => {
        const asked = send(path, { 'wiki-prefix': reading });
        if (isServed) {
          expect(asked.response.status).to.equal(200);
          return;
        }
        expect(asked.response.status).to.equal(404);
        expect(asked.refused).to.equal('prefix-not-served');
        expect(asked.gaps).to.deep.equal({
          'context-path': 'any',
          'wiki-prefix': reading,
          'wiki-error-body': 'confluence',
          'error-text': 'detailed',
        });
        expect(messageOf(asked)).to.include(`wiki-prefix=${reading}`);
        expect(asked.facts).to.deep.equal([]);
      });
    }
  }

  it('wiki-prefix: push and pull have one address, whatever the reading', () => {
    for (const reading of ['any', 'rest', 'rest-api', 'bare'] as const) {
      const asked = send('/rest/cwx-ppf/latest/push', { 'wiki-prefix': reading });
      expect(asked.response.status).to.equal(200);
      expect(asked.rules).to.include('address.ppf-path').and.not.include('address.extension-path');
      expect(asked.gaps).not.to.have.property('wiki-prefix');
    }
  });
});

describe('gap context-path', () => {
  const push = '/rest/cwx-ppf/latest/push';
  const cases: [reading: string, served: string[], not: string[]][] = [
    ['any', ['', '/wiki', '/jira', '/~box', '/~box/wiki'], []],
    ['none', ['', '/~box'], ['/wiki', '/~box/wiki']],
    ['/wiki', ['/wiki', '/~box/wiki'], ['', '/jira', '/Wiki', '/~box']],
  ];
  for (const [reading, served, not] of cases) {
    const readings = { 'context-path': reading } as SomeReadings;
    for (const context of served) {
      it(`context-path=${reading}: serves ${context}${prefixes.rest}`, () => {
        const asked = send(context + prefixes.rest, readings);
        expect(asked.response.status).to.equal(200);
        expect(asked.gaps).to.include({ 'context-path': reading });
        const isBare = context === '' || context === '/~box';
        const [applies, doesNot] = isBare
          ? ['address.no-context-path', 'address.context-path']
          : ['address.context-path', 'address.no-context-path'];
        expect(asked.rules).to.include(applies).and.not.include(doesNot);
      });
    }
    for (const context of not) {
      it(`context-path=${reading}: does not serve ${context}${prefixes.rest}`, () => {
        const asked = send(context + prefixes.rest, readings);
        expect(asked.response.status).to.equal(404);
        expect(asked.refused).to.equal('context-not-served');
        expect(asked.gaps).to.include({ 'context-path': reading });
        expect(asked.rules).not.to.include.members(['address.context-path']);
        expect(asked.facts).to.deep.equal([]);
      });
    }

    it(`context-path=${reading}: push and pull accept any one segment or none all the same`, () => {
      for (const context of [...served, ...not]) {
        const asked = send(context + push, readings);
        expect(asked.response.status).to.equal(200);
        expect(asked.gaps).not.to.have.property('context-path');
      }
    });
  }

  it('context-path: the message names the served and the requested one', () => {
    expect(messageOf(send(prefixes.rest, { 'context-path': '/wiki' }))).to.equal(
      'The wiki extension has the context path /wiki here, but the request has none.',
    );
    expect(messageOf(send(`/jira${prefixes.rest}`, { 'context-path': 'none' }))).to.equal(
      'The wiki extension has no context path here, but the request has /jira.',
    );
  });
});

describe('a context path of several segments', () => {
  for (const prefix of [prefixes.rest, prefixes['rest-api']])
    it(`context-path: is refused by the gap below ${prefix}, unless it is the one that is served`, () => {
      for (const reading of ['any', 'none', '/a'] as const) {
        const asked = send(`/a/b${prefix}`, { 'context-path': reading });
        expect(asked.refused).to.equal('context-not-served');
        expect(asked.gaps).to.include({ 'context-path': reading });
      }
      expect(send(`/a/b${prefix}`, { 'context-path': '/a/b' }).response.status).to.equal(200);
    });
});

describe('gap ppf-context-path', () => {
  const cases = [
    ['any', '', 200],
    ['any', '/jira', 200],
    ['any', '/a/b', 404],
    ['none', '', 200],
    ['none', '/jira', 404],
    ['none', '/a/b', 404],
  ] as const;
  for (const [reading, context, status] of cases)
    it(`ppf-context-path=${reading}: ${status} below ${context || 'no context path'}`, () => {
      const asked = send(`${context}/rest/cwx-ppf/latest/push`, { 'ppf-context-path': reading });
      expect(asked.response.status).to.equal(status);
      expect('ppf-context-path' in asked.gaps).to.equal(context !== '');
      expect(asked.rules).not.to.include('address.context-path');
    });
});

describe('unknown paths', () => {
  it('a path with a valid prefix gets the nearest one suggested, and breaks no rule of addresses', () => {
    const asked = send('/rest/cwxapiextension/latest/groups/add-user');
    expect(asked.refused).to.equal('bad-address');
    expect(asked.rules).to.deep.equal([]);
    expect(messageOf(asked)).to.equal(
      `Unknown path "/rest/cwxapiextension/latest/groups/add-user": the nearest path is ${prefixes.rest}.`,
    );
    expect(send('/rest/cwxapiextensions/latest/groups/add-users').rules).to.deep.equal(['address.extension-path']);
  });

  it('address.extension-path: a misspelt prefix is not a context path', () => {
    for (const misspelt of ['/REST', '/rst', '/rets', '/rest', '/resst', '/api', '/API', '/~box/Rest']) {
      const asked = send(`${misspelt}/cwxapiextension/latest/groups/add-users`, {});
      if (misspelt === '/rest') expect(asked.response.status).to.equal(200);
      else {
        expect(asked.response.status, misspelt).to.equal(404);
        expect(messageOf(asked)).to.include(prefixes.rest);
      }
    }
    for (const context of ['/wiki', '/test', '/restore', '/apis-2'])
      expect(send(`${context}/cwxapiextension/latest/groups/add-users`).response.status, context).to.equal(200);
  });
});

describe('meantBy', () => {
  const cases: [wrong: string, meant: string | undefined][] = [
    ['/REST/cwxapiextension/latest/groups/add-users', prefixes.rest],
    ['/rest/cwxapiextension/latest/spaces/copyspace', '/rest/cwxapiextension/latest/spaces/copySpace'],
    ['/rest/cwxapiextension/latest/spaces/isunique', '/rest/cwxapiextension/latest/spaces/isUnique'],
    ['/rest/cwxapiextension/latest/groups/set-users/', '/rest/cwxapiextension/latest/groups/set-users'],
    ['//rest//cwx-ppf/latest/push', '/rest/cwx-ppf/latest/push'],
    ['/cwx-ppf/latest/push', '/rest/cwx-ppf/latest/push'],
    ['/rest/cwx-ppf/1.0/pull', '/rest/cwx-ppf/latest/pull'],
    ['/wiki/rest/cwx-ppf/latest/pusj', '/wiki/rest/cwx-ppf/latest/push'],
    ['/~box/rest/cwx-ppf/latest/Push', '/~box/rest/cwx-ppf/latest/push'],
    ['/rest/cwxapiextension/1.0/groups/add-users', prefixes.rest],
    ['/confluence/spaces/copySpace', '/rest/cwxapiextension/latest/spaces/copySpace'],
    ['/rest/cwxapiextension/latest/permissions/EDIT/7', '/rest/cwxapiextension/latest/permissions/edit/7'],
    ['/rest/cwxapiextension/latest/permissions/edit/', '/rest/cwxapiextension/latest/permissions/edit/{pageId}'],
    ['/', undefined],
    ['', undefined],
    ['/index.html', undefined],
    [`/${'x'.repeat(10_000)}`, undefined],
  ];
  for (const [wrong, meant] of cases) {
    it(`suggests ${meant ?? 'nothing'} for ${wrong.slice(0, 60) || 'nothing'}`, () => {
      expect(meantBy(wrong)).to.equal(meant);
    });
  }
});
