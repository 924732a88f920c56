// Which addresses are served under each reading, and the error for an unknown path.

import { expect } from 'chai';
import type { Result } from '../../../../server/engine/request/result.js';
import { meantBy } from '../../../../server/engine/request/stages/routing.js';
import { runStages } from '../../../../server/engine/request/stages/run-stages.js';
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
  it('wiki-prefix: serves each prefix under any and its own reading, and not under the others', () => {
    for (const [prefix, path] of Object.entries(prefixes))
      for (const reading of ['any', 'rest', 'rest-api', 'bare'] as const) {
        const asked = send(path, { 'wiki-prefix': reading });
        const isServed = reading === 'any' || reading === prefix;
        expect(asked.response.status, reading).to.equal(isServed ? 200 : 404);
        expect(asked.gaps).to.include({ 'wiki-prefix': reading, 'context-path': 'any' });
        if (isServed) expect(asked.rules).to.include('address.extension-path');
        else {
          expect(asked).to.deep.include({ refused: 'prefix-not-served', facts: [] });
          expect(messageOf(asked)).to.include(`wiki-prefix=${reading}`);
        }
      }
  });
});

describe('gap context-path', () => {
  const push = '/rest/cwx-ppf/latest/push';
  const cases: [reading: string, served: string[], not: string[]][] = [
    ['any', ['', '/wiki', '/jira', '/~box', '/~box/wiki'], ['/a/b']],
    ['none', ['', '/~box'], ['/wiki', '/~box/wiki', '/a/b']],
    ['/wiki', ['/wiki', '/~box/wiki'], ['', '/jira', '/Wiki', '/~box', '/a/b']],
    ['/a/b', ['/a/b'], ['/a']],
  ];
  for (const [reading, served, not] of cases) {
    const readings = { 'context-path': reading } as SomeReadings;
    it(`context-path=${reading}: serves ${served.map(one => one || 'none').join(', ')}, and not ${not.join(', ')}`, () => {
      for (const context of served) {
        const asked = send(context + prefixes.rest, readings);
        expect(asked.response.status, context).to.equal(200);
        expect(asked.gaps).to.include({ 'context-path': reading });
        const rules = ['address.no-context-path', 'address.context-path'];
        const [applies = '', doesNot] = context === '' || context === '/~box' ? rules : rules.reverse();
        expect(asked.rules).to.include(applies).and.not.include(doesNot);
      }
      for (const context of not)
        for (const prefix of [prefixes.rest, prefixes['rest-api']]) {
          const asked = send(context + prefix, readings);
          expect(asked, context).to.deep.include({ refused: 'context-not-served', facts: [] });
          expect(asked.response.status).to.equal(404);
          expect(asked.gaps).to.include({ 'context-path': reading });
          expect(asked.rules).not.to.include('address.context-path');
        }
    });
  }

  it('ppf-context-path: decides about a push below a context path, which the gaps of the wiki do not affect', () => {
    for (const [reading, context, status] of [
      ['any', '', 200],
      ['any', '/~box/wiki', 200],
      ['any', '/a/b', 404],
      ['none', '', 200],
      ['none', '/jira', 404],
    ] as const) {
      const asked = send(context + push, {
        'ppf-context-path': reading,
        'wiki-prefix': 'bare',
        'context-path': '/wiki',
      });
      expect(asked.response.status).to.equal(status);
      expect('ppf-context-path' in asked.gaps).to.equal(context !== '');
      expect(asked.gaps).not.to.have.any.keys('context-path', 'wiki-prefix');
      expect(asked.rules.filter(rule => rule.startsWith('address.'))).to.not.include.oneOf([
        'address.context-path',
        'address.extension-path',
      ]);
    }
  });

  it('context-path: the message names the served and the requested one', () => {
    expect(messageOf(send(prefixes.rest, { 'context-path': '/wiki' }))).to.equal(
      'The wiki extension has the context path /wiki here, but the request has none.',
    );
    expect(messageOf(send(`/jira${prefixes.rest}`, { 'context-path': 'none' }))).to.equal(
      'The wiki extension has no context path here, but the request has /jira.',
    );
  });
});

describe('unknown paths', () => {
  it('a path with a valid prefix breaks no rule of addresses', () => {
    expect(send('/rest/cwxapiextension/latest/groups/add-user')).to.deep.include({ refused: 'bad-address', rules: [] });
    expect(send('/rest/cwxapiextensions/latest/groups/add-users').rules).to.deep.equal(['address.extension-path']);
  });

  it('address.ppf-path, address.case-sensitive: other spellings are not addresses', () => {
    for (const path of [
      '//rest/cwx-ppf/latest/push',
      '/wiki//rest/cwx-ppf/latest/push',
      '/rest//cwx-ppf/latest/push',
      '/cwx-ppf/latest/push',
      '/rest/cwx-ppf/newest/push',
      '/rest/cwxapiextension/latest',
      '/rest/cwxapiextension/latestgroups/add-users',
      '/rest/cwxapiextension/latest/permissions/edit/rest/cwx-ppf/latest/push', // an address within a page id
    ])
      expect(send(path).refused, path).to.equal('bad-address');
    for (const path of ['/REST/cwx-ppf/latest/push', '/rest/cwx-ppf/Latest/push'])
      expect(send(path).refused, path).to.equal('wrong-case');
    expect(send('/rest/rest/cwx-ppf/latest/push').response.status, 'a context that is called rest').to.equal(200);
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
  it('suggests the nearest path, or nothing', () => {
    for (const [wrong, meant] of cases) expect(meantBy(wrong), wrong.slice(0, 60)).to.equal(meant);
  });
});
