// Compares a response and a world with the expectations, and captures values of a body.

import { expect } from 'chai';
import { bodyOf } from '../../../server/engine/patterns/match.js';
import type { Expectation } from '../../../server/scenario/format/step-format.js';
import {
  proofDifferences,
  responseDifferences,
  worldDifferences,
} from '../../../server/scenario/play/compare-result.js';
import { differenceText } from '../../../server/scenario/play/evidence.js';
import { Recorder } from '../../support/scenarios/played.js';

const differences = (
  wanted: Expectation | undefined,
  { status = 200, headers = {}, text = '' }: Partial<ApiResponse> = {},
) => responseDifferences(wanted, { status, headers, text }).map(differenceText);

interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

describe('a response', () => {
  it('has a status, a class of one, or one that a matcher accepts', () => {
    const statuses = [100, 200, 204, 299, 300, 400, 404, 499, 500];
    for (const [status, held] of [
      [200, [200]],
      ['2XX', [200, 204, 299]],
      ['4XX', [400, 404, 499]],
      ['5XX', [500]],
      [{ $any: 'integer' }, statuses],
      [{ $match: '^20[01]$' }, [200]],
    ] as const)
      expect(statuses.filter(found => differences({ status }, { status: found }).length === 0)).to.deep.equal(held);
  });

  it('reports the status and what was expected', () => {
    expect(differences({ status: 403 })).to.deep.equal(['status is 200, not 403']);
    expect(differences({ status: '2XX' }, { status: 301 })).to.deep.equal(['status is 301, not one of 2XX']);
    expect(differences({ status: { $match: '^20[01]$' } }, { status: 204 })).to.deep.equal([
      'status is "204", but should match "^20[01]$"',
    ]);
  });

  it('has headers, by names in any case', () => {
    const headers = { allow: 'GET, PUT', 'x-fake-rules': 'a, b' };
    expect(
      differences({ headers: { Allow: 'GET, PUT', 'X-FAKE-RULES': { $contains: 'b' } } }, { headers }),
    ).to.deep.equal([]);
    expect(differences({ headers: { ALLOW: 'GET', 'Retry-After': { $any: 'string' } } }, { headers })).to.deep.equal([
      'header ALLOW is "GET, PUT", not "GET"',
      'header Retry-After is missing, but should be a text',
    ]);
    expect(
      differences({ headers: { allow: { $absent: true }, 'x-other': { $absent: true } } }, { headers }),
    ).to.deep.equal(['header allow is "GET, PUT", but should be absent']);
  });

  it('has no headers that objects inherit', () => {
    expect(differences({ headers: { constructor: { $absent: true }, toString: { $absent: true } } })).to.deep.equal([]);
    expect(differences({ headers: { constructor: { $any: 'value' } } })).to.have.length(1);
  });

  const bodies: ReadonlyArray<readonly [text: string, body: unknown]> = [
    ['{"a":[1]}', { a: [1] }],
    ['null', null],
    ['false', false],
    ['0', 0],
    ['""', ''],
    ['"null"', 'null'],
    [' [1 ] ', [1]],
    ['<p>no JSON</p>', '<p>no JSON</p>'],
    ['{"a":', '{"a":'],
    [' ', ' '],
  ];
  it('has a body that is JSON, or text', () => {
    for (const [text, body] of bodies) {
      expect(bodyOf({ text }), text).to.deep.equal(body);
      expect(differences({ body }, { text }), text).to.deep.equal([]);
    }
  });

  it('without a body has none, which is neither null nor an empty text', () => {
    expect(bodyOf({ text: '' })).to.equal(undefined);
    expect(differences({ body: { $absent: true } })).to.deep.equal([]);
    expect(differences({ body: null })).to.deep.equal(['body is missing, but should be null']);
    expect(differences({ body: '' })).to.deep.equal(['body is missing, but should be ""']);
    expect(differences({ body: { $absent: true } }, { text: 'null' })).to.deep.equal([
      'body is null, but should be absent',
    ]);
  });

  it('is reported with everything that is wrong with it', () => {
    const wanted = { status: 200, headers: { A: 'b' }, body: { c: 1, d: 2 } };
    expect(differences(wanted, { status: 400, text: '{"c":2}' })).to.deep.equal([
      'status is 400, not 200',
      'header A is missing, but should be "b"',
      'body /c is 2, not 1',
      'body /d is missing, but should be 2',
    ]);
  });
});

describe('an expectation that takes too much work', () => {
  const wanted = { $match: '(?:a|ab|ba){333}c' };
  const long = 'a'.repeat(2 ** 20);
  const says =
    'was not compared: the expectation is too expensive: use patterns with less repetition, or shorter texts and lists';

  it('fails the step with the reason', () => {
    const response = { headers: { 'x-long': long }, text: long };
    expect(differences({ headers: { 'X-Long': wanted }, body: wanted }, response)).to.deep.equal([
      `header X-Long ${says}`,
      `body ${says}`,
    ]);
  });
});

describe('a world', () => {
  const world = {
    'users/carol': { displayName: 'Carol', password: 'hush', token: 'hush-hush', admin: false },
    'groups/customers': ['alice'],
    'pages/7': { title: 'Seven', version: 2 },
    licence: { ppf: 'valid' },
    nextPageId: 8,
  };
  const { control } = new Recorder([], '', world);
  const differing = async (then: unknown) =>
    control === undefined ? [] : (await worldDifferences(then, control)).map(differenceText);

  it('is compared in parts', async () => {
    expect(
      await differing({
        groups: { customers: ['alice'] },
        pages: { '7': { version: 2 }, '8': { $absent: true } },
        licence: { ppf: 'valid' },
        nextPageId: 8,
      }),
    ).to.deep.equal([]);
    expect(await differing(undefined)).to.deep.equal([]);
  });

  it('is reported with the place of each difference', async () => {
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
    expect(await differing({ users: { carol: { password: 'hush', token: { $any: 'string' } } } })).to.deep.equal([]);
    expect(await differing({ users: { carol: { password: 'loud', token: { $absent: true } } } })).to.deep.equal([
      'world /users/carol/password is not the expected value',
      'world /users/carol/token is not the expected value',
    ]);
    expect(await differing({ users: { carol: { $absent: true } } })).to.deep.equal([
      'world /users/carol is {"displayName":"Carol","admin":false}, but should be absent',
    ]);
    const all = control && (await worldDifferences({ users: { carol: { $contains: { token: 'x' } } } }, control));
    expect(JSON.stringify(all)).to.not.contain('hush');
  });
});

describe('a rule that a step proves', () => {
  const insight = { rules: ['ppf.push', 'address.ppf-path'], gaps: {} };
  const proofs = (...args: Parameters<typeof proofDifferences>) => proofDifferences(...args).map(differenceText);
  const none = new Set<string>();

  it('is one that applied', () => {
    expect(proofs(['ppf.push'], insight, none)).to.deep.equal([]);
    expect(proofs(['ppf.pull'], insight, none)).to.deep.equal([
      'ppf.pull did not apply, but these did: ppf.push, address.ppf-path',
    ]);
    expect(proofs(['ppf.pull'], { rules: [], gaps: {} }, none)).to.deep.equal([
      'ppf.pull did not apply, nor did any other rule',
    ]);
  });

  it('or one that was proved before and whose effect is shown', () => {
    expect(proofs(['ppf.pull'], insight, new Set(['ppf.pull']))).to.deep.equal([]);
  });
});
