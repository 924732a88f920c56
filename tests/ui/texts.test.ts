// What the dashboard computes from data: patches, conflicts, commands, steps, sentences.
import { expect } from 'chai';
import type { ArmedFault, Entry, Json } from '../../ui/client/wire.js';
import { conflictsBetween, mergePatch, patchBetween } from '../../ui/parts/changes/change.js';
import { faultText, isUsedUp } from '../../ui/readings/fault-text.js';
import { aboutRequest } from '../../ui/requests/about.js';
import { curlOf } from '../../ui/requests/curl.js';
import { isTelling } from '../../ui/requests/filter.js';
import { messageIn } from '../../ui/requests/response-message.js';
import { stepsOf } from '../../ui/requests/step-text.js';

describe('the texts of the dashboard', () => {
  const base = { name: 'A', admin: false, tags: ['a'], link: { url: 'u', label: 'l' } };
  const edits: ReadonlyArray<
    readonly [what: string, theirs: Json, mine: Json, patch: Json, conflicts: readonly string[]]
  > = [
    ['other fields', { ...base, admin: true, more: 1 }, { ...base, name: 'B' }, { name: 'B' }, []],
    ['the same change', { ...base, name: 'B' }, { ...base, name: 'B' }, { name: 'B' }, []],
    ['one field', { ...base, name: 'C' }, { ...base, name: 'B' }, { name: 'B' }, ['/name']],
    [
      'a nested field',
      { ...base, link: { url: 'v', label: 'l' } },
      { ...base, link: { url: 'w', label: 'l' } },
      { link: { url: 'w' } },
      ['/link/url'],
    ],
    ['a list', { ...base, tags: ['a', 'b'] }, { ...base, tags: [] }, { tags: [] }, ['/tags']],
    ['a removed field', base, { name: 'A', admin: false, tags: ['a'] }, { link: null }, []],
  ];
  for (const [what, theirs, mine, patch, conflicts] of edits)
    it(`sends the difference, and finds what both changed: ${what}`, () => {
      expect(patchBetween(base, mine)).to.deep.equal(patch);
      expect(mergePatch(base, patch)).to.deep.equal(mine);
      expect(conflictsBetween(base, theirs, mine)).to.deep.equal(conflicts);
    });

  const entry = (parts: object) =>
    ({
      method: 'POST',
      url: '/a',
      caller: 'admin',
      gaps: {},
      response: { status: 200 },
      request: { contentType: 'application/json', body: '{}' },
      ...parts,
    }) as unknown as Entry; // only what is read
  it('writes curl for every caller and body', () => {
    for (const [what, parts, expected] of [
      ['a user', {}, "-u 'admin'"],
      ['an owner of a token', { scheme: 'bearer' }, "-H 'Authorization: Bearer <token of admin>'"],
      ['a quote', { request: { contentType: '', body: "it's" } }, "--data-raw 'it'\\''s'"],
      ['a control character', { request: { contentType: '', body: "\u0001'\n" } }, "--data-raw $'\\x01\\'\\n'"],
      [
        'a body that is not UTF-8',
        { request: { contentType: '', unread: { kind: 'not-utf8' } } },
        "--data-binary '@body.bin'",
      ],
    ] as const)
      expect(curlOf(entry(parts), 'http://x').split(' \\\n  '), what).to.include(expected);
  });

  it('shows the message of a response, or why there is none', () => {
    for (const [what, parts, expected] of [
      ['of the wiki', { response: { status: 404, body: '{"message":"No user bob."}' } }, 'No user bob.'],
      ['of the tracker', { response: { status: 400, body: '{"errorMessages":["A.","B."]}' } }, 'A. B.'],
      ['of a partial success', { response: { status: 200, body: '{"success":false,"messages":["bob"]}' } }, 'bob'],
      ['the nearest path', { nearest: '/b', response: { status: 404, body: '<html>' } }, 'Nearest path: /b'],
      ['the refusal', { refused: 'not-unique', response: { status: 409 } }, 'not unique'],
      ['none of a success', { response: { status: 200, body: '{}' } }, ''],
    ] as const)
      expect(messageIn(entry(parts)), what).to.equal(expected);
  });

  for (const [operation, url, body, expected] of [
    ['groups.add-users', '/a', { group: 'customers', users: ['alice', 'bob'] }, 'Add alice, bob to customers'],
    ['ppf.push', '/a', { groups: ['g'], filters: [1, 2, 3, 4, 5] }, 'Push 1, 2, 3, 2 more to g'],
    ['spaces.is-unique', '/a?spaceKey=ds', undefined, 'Is ds free?'],
    ['groups.add-users', '/a', 7, 'groups.add-users'],
    ['jira.myself', '/b', undefined, 'jira.myself'],
    [undefined, '/b?c=d', undefined, '/b?c=d'],
  ] as const)
    it(`says what a request is about: ${expected}`, () => {
      const request = { contentType: '', ...(body !== undefined && { body: JSON.stringify(body) }) };
      expect(aboutRequest(entry({ operation, url, request }))).to.equal(expected);
    });

  it('tells the rule about case, and no other rule of the address', () => {
    const rules = ['address.no-context-path', 'address.case-sensitive', 'groups.body'];
    expect(rules.filter(isTelling)).to.deep.equal(['address.case-sensitive', 'groups.body']);
  });

  it('takes the step out of a scenario', () => {
    const scenario = 'title: A\nsteps:\n  - say: x\n    body:\n      - y\n# end\nmore: 1\n';
    expect(stepsOf(scenario)).to.equal('  - say: x\n    body:\n      - y\n# end\n');
  });

  const fault = (parts: object) => ({ operation: 'ppf.push', matched: 0, fired: 0, ...parts }) as unknown as ArmedFault;
  for (const [parts, sentence, spent] of [
    [{ effect: { status: 500 }, times: 1, fired: 1 }, 'Status 500 · the next request to ppf.push', true],
    [{ effect: { truncateAt: 5 }, when: { every: 2 } }, 'Truncate at 5 · every second request to ppf.push', false],
    [
      { effect: { retryAfter: 2 }, when: { first: 3 }, matched: 3 },
      'Retry after 2 · the first 3 requests to ppf.push',
      true,
    ],
    [
      { effect: { headers: { 'Set-Cookie': 'secret' }, body: { a: 1 } } },
      'Headers Set-Cookie, body · every request to ppf.push',
      false,
    ],
    [
      { effect: { garble: true }, until: '2026-01-01T00:00:00Z' },
      'Garble · every request to ppf.push, until 2026-01-01T00:00:00Z',
      true,
    ],
  ] as const)
    it(`describes a fault: ${sentence}`, () => {
      expect(faultText(fault(parts))).to.equal(sentence);
      expect(isUsedUp(fault(parts), '2026-06-01T00:00:00Z')).to.equal(spent);
    });
});
