// Classifies an interaction against the document, branch by branch, from evidence made by hand.
import { expect } from 'chai';
import type { Classification, PairTrial, Trial } from '../../../../harness/verify/contract/verdict.js';
import { type ClassEvidence, classify } from '../../../../harness/verify/judging/judge-interaction.js';
import { showFinding } from '../../../../server/derive/document/document-check.js';
import type { Finding } from '../../../../server/derive/document/violation.js';
import type { GapId } from '../../../../server/operations/gaps/gaps.js';

const plain: ClassEvidence = {
  passed: true,
  rules: ['address.ppf-path', 'ppf.push'],
  differing: [],
  gaps: { 'ppf-effect': 'push-adds', 'ppf-partial': 'apply-rest' },
  trials: [],
  pairs: [],
  unshown: [],
  ofRequest: [],
  ofExpectation: [],
};
const trial = (gap: Trial['gap'], reading: string, passes: boolean): Trial => ({ gap, reading, passes });
const finding = (rest: Partial<Finding>): Finding => ({
  part: 'body',
  pointer: '/x',
  expected: 'nothing',
  found: 'something',
  ...rest,
});
const documented = { kind: 'documented' } as const;
const against = (rules: readonly string[], ...findings: Finding[]) =>
  ({ kind: 'contradicts', rules, says: findings.map(showFinding) }) as const;
const onGap = (gap: GapId, reading: string, ...trials: Trial[]): Classification => ({
  kind: 'rests',
  on: [{ gap, reading, trials }],
});

const ruled = finding({ rule: 'spaces.copy-query-only' });
const statusRule = finding({ part: 'status', pointer: '', rule: 'ppf.processed-is-200' });
const statusGap = finding({ part: 'status', pointer: '', gap: 'wiki-success' });
const held = trial('ppf-effect', 'record-only', true);
const broken = trial('ppf-partial', 'all-or-nothing', false);
const success = [trial('wiki-success', 'empty', true), trial('wiki-success', 'no-content', false)];
const unshown = ['The document does not show it. A server that responds 405 keeps the document and fails here.'];
const pair: PairTrial = {
  first: { gap: 'ppf-effect', reading: 'record-only' },
  second: { gap: 'ppf-check-order', reading: '400-first' },
  passes: false,
  isPairOnly: true,
};

const cases: Readonly<Record<string, readonly [evidence: Partial<ClassEvidence>, classification: Classification]>> = {
  'is documented if it passes': [{}, documented],
  'is documented if it passes under everything tried': [{ trials: [held] }, documented],
  'is documented whatever the request violates, if every server that keeps the document passes': [
    { ofRequest: [ruled] },
    documented,
  ],
  'rests on the gaps with a reading that breaks it, each with all its trials': [
    { trials: [held, broken, ...success], gaps: { ...plain.gaps, 'wiki-success': 'object' } },
    {
      kind: 'rests',
      on: [
        { gap: 'ppf-partial', reading: 'apply-rest', trials: [broken] },
        { gap: 'wiki-success', reading: 'object', trials: success },
      ],
    },
  ],
  'rests on no gap if it expects what the document does not show': [{ unshown }, { kind: 'rests', on: [], unshown }],
  'rests on both gaps of a pair that breaks it': [
    { trials: [held], pairs: [pair] },
    {
      kind: 'rests',
      on: [
        { gap: 'ppf-effect', reading: 'push-adds', trials: [held] },
        { gap: 'ppf-check-order', reading: '403-first', trials: [] },
      ],
      unshown: [
        'A server that follows ppf-effect=record-only with ppf-check-order=400-first keeps the document and fails here.',
      ],
    },
  ],
  'does not rest on a pair that shows no more than each reading alone': [
    { pairs: [{ ...pair, isPairOnly: false }] },
    documented,
  ],
  'rests on the gap whose other reading would make it pass, and on nothing else': [
    { passed: false, trials: [held, broken], unshown },
    onGap('ppf-effect', 'push-adds', held),
  ],
  'rests on the gap of its refusal, if no single reading lets it pass but another server does': [
    { passed: false, refused: 'body-absent', gaps: { 'missing-field': '400' }, unshown },
    { kind: 'rests', on: [{ gap: 'missing-field', reading: '400', trials: [] }], unshown },
  ],
  'rests on the gaps of its expectation, if it is not refused and another server passes': [
    { passed: false, gaps: { 'wiki-success': 'object' }, ofExpectation: [statusGap], unshown },
    { kind: 'rests', on: [{ gap: 'wiki-success', reading: 'object', trials: [] }], unshown },
  ],
  'contradicts the rule its expectation violates, if no server passes': [
    { passed: false, ofExpectation: [statusRule, finding({ part: 'reply', gap: 'wiki-success' })] },
    against(['ppf.processed-is-200'], statusRule),
  ],
  'contradicts the rule its refused request violates': [
    { passed: false, refused: 'body-not-json', ofRequest: [ruled], ofExpectation: [statusRule] },
    against(['spaces.copy-query-only'], ruled),
  ],
  'contradicts the rules about what differs, not all that applied': [
    { passed: false, rules: ['ppf.push', 'ppf.success-flag'], differing: ['ppf.success-flag'] },
    against(['ppf.success-flag']),
  ],
  'contradicts the rule behind a refusal, whatever differs': [
    {
      passed: false,
      refused: 'ppf-not-admin',
      rules: ['ppf.admin-only', 'ppf.body-types'],
      differing: ['ppf.processed-is-200'],
    },
    against(['ppf.admin-only']),
  ],
  'contradicts the rules that decided if there is no finding': [{ passed: false }, against(['ppf.push'])],
  'contradicts the rules of the address only if there are no others': [
    { passed: false, rules: ['address.case-sensitive'] },
    against(['address.case-sensitive']),
  ],
  'contradicts the document if no rule decided': [{ passed: false, rules: [] }, against([])],
};

describe('an interaction', () => {
  for (const [what, [evidence, classification]] of Object.entries(cases))
    it(what, () => {
      expect(classify({ ...plain, ...evidence })).to.deep.equal(classification);
    });
});
