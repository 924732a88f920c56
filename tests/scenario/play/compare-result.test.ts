// Compares a response and a world with the expectations. How values and matchers compare: tests/engine/patterns.
import { expect } from 'chai';
import type { Expectation } from '../../../server/scenario/format/step-format.js';
import {
  proofDifferences,
  responseDifferences,
  worldDifferences,
} from '../../../server/scenario/play/compare-result.js';
import { differenceText } from '../../../server/scenario/play/evidence.js';
import { type ApiResponse, Recorder } from '../../support/scenarios/played.js';

const differences = (wanted: Expectation, { status = 200, headers = {}, text = '' }: ApiResponse = {}) =>
  responseDifferences(wanted, { status, headers, text }).map(differenceText);

const headers = { allow: 'GET, PUT', 'x-fake-rules': 'a, b' };
const tooMuch = { $match: '(?:a|ab|ba){333}c' };
const long = 'a'.repeat(2 ** 20);
const unmet =
  'was not compared: the expectation is too expensive: use patterns with less repetition, or shorter texts and lists';

const rows: ReadonlyArray<readonly [wanted: Expectation, ApiResponse, ...differences: string[]]> = [
  [{ status: 403 }, {}, 'status is 200, not 403'],
  [{ status: '2XX' }, { status: 301 }, 'status is 301, not one of 2XX'],
  [{ status: { $match: '^20[01]$' } }, { status: 204 }, 'status is "204", but should match "^20[01]$"'],
  [{ headers: { Allow: 'GET, PUT', 'X-FAKE-RULES': { $contains: 'b' } } }, { headers }],
  [
    { headers: { ALLOW: 'GET', 'Retry-After': { $any: 'string' } } },
    { headers },
    'header ALLOW is "GET, PUT", not "GET"',
    'header Retry-After is missing, but should be a text',
  ],
  [{ headers: { allow: { $absent: true } } }, { headers }, 'header allow is "GET, PUT", but should be absent'],
  [{ headers: { constructor: { $absent: true }, toString: { $absent: true } } }, {}],
  [{ body: { $absent: true } }, {}],
  [{ body: null }, {}, 'body is missing, but should be null'],
  [{ body: '' }, {}, 'body is missing, but should be ""'],
  [{ body: { $absent: true } }, { text: 'null' }, 'body is null, but should be absent'],
  [
    { status: 200, headers: { A: 'b' }, body: { c: 1, d: 2 } },
    { status: 400, text: '{"c":2}' },
    'status is 400, not 200',
    'header A is missing, but should be "b"',
    'body /c is 2, not 1',
    'body /d is missing, but should be 2',
  ],
  [
    { headers: { 'X-Long': tooMuch }, body: tooMuch },
    { headers: { 'x-long': long }, text: long },
    `header X-Long ${unmet}`,
    `body ${unmet}`,
  ],
];

describe('a response', () => {
  it('is reported with everything that is wrong with it', () => {
    for (const [wanted, response, ...wrong] of rows)
      expect(differences(wanted, response), JSON.stringify(wanted)).to.deep.equal(wrong);
  });

  it('has a status, a class of one, or one that a matcher accepts', () => {
    const statuses = [100, 200, 204, 299, 300, 400, 404, 499, 500];
    for (const [status, held] of [
      [200, [200]],
      ['2XX', [200, 204, 299]],
      ['4XX', [400, 404, 499]],
      ['5XX', [500]],
      [{ $any: 'integer' }, statuses],
    ] as const)
      expect(statuses.filter(found => differences({ status }, { status: found }).length === 0)).to.deep.equal(held);
  });

  it('has a body that is JSON, or text', () => {
    for (const text of ['{"a":[1]}', 'null', 'false', '0', '""', '"null"', ' [1 ] '])
      expect(differences({ body: JSON.parse(text) }, { text }), text).to.deep.equal([]);
    for (const text of ['<p>no JSON</p>', '{"a":', ' '])
      expect(differences({ body: text }, { text }), text).to.deep.equal([]);
  });
});

describe('a world', () => {
  const { control } = new Recorder([], '', {
    'users/carol': { displayName: 'Carol', password: 'hush', token: 'hush-hush', admin: false },
    'groups/customers': ['alice'],
    'pages/7': { title: 'Seven', version: 2 },
    licence: { ppf: 'valid' },
    nextPageId: 8,
  });
  const differing = async (then: unknown) =>
    control === undefined ? [] : (await worldDifferences(then, control)).map(differenceText);

  it('is compared in parts, and reported with the place of each difference', async () => {
    const pages = { '7': { version: 2 }, '8': { $absent: true } };
    const groups = { customers: ['alice'] };
    expect(await differing({ groups, pages, licence: { ppf: 'valid' }, nextPageId: 8 })).to.deep.equal([]);
    expect(
      await differing({
        groups: { customers: [], others: ['alice'] },
        pages: { '7': { version: 3, titel: 'Seven' } },
        licence: { ppf: 'none' },
        nextPageId: 9,
      }),
    ).to.deep.equal([
      'world /groups/customers is ["alice"], not []',
      'world /groups/others is missing, but should be ["alice"]',
      'world /pages/7/version is 2, not 3',
      'world /pages/7/titel is missing, but should be "Seven"',
      'world /licence/ppf is "valid", not "none"',
      'world /nextPageId is 8, not 9',
    ]);
  });

  it('compares passwords and tokens, and never shows them', async () => {
    for (const [carol, ...wrong] of [
      [{ password: 'hush', token: { $any: 'string' } }],
      [
        { password: 'loud', token: { $absent: true } },
        'world /users/carol/password is not the expected value',
        'world /users/carol/token is not the expected value',
      ],
      [{ $absent: true }, 'world /users/carol is {"displayName":"Carol","admin":false}, but should be absent'],
    ] as const)
      expect(await differing({ users: { carol } })).to.deep.equal(wrong);
    const all = control && (await worldDifferences({ users: { carol: { $contains: { token: 'x' } } } }, control));
    expect(JSON.stringify(all)).to.not.contain('hush');
  });
});

describe('a rule that a step proves', () => {
  it('is one that applied, or one that was proved before and whose effect is shown', () => {
    const proofs = (proves: string[], rules: string[], before: string[] = []) =>
      proofDifferences(proves, { rules, gaps: {} }, new Set(before)).map(differenceText);
    const both = ['ppf.push', 'address.ppf-path'];
    expect(proofs(['ppf.push'], both)).to.deep.equal([]);
    expect(proofs(['ppf.pull'], both, ['ppf.pull'])).to.deep.equal([]);
    expect(proofs(['ppf.pull'], both)).to.deep.equal([
      'ppf.pull did not apply, but these did: ppf.push, address.ppf-path',
    ]);
    expect(proofs(['ppf.pull'], [])).to.deep.equal(['ppf.pull did not apply, nor did any other rule']);
  });
});
