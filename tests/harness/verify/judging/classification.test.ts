// Classifies an interaction against the document, branch by branch, from evidence made by hand.
import { expect } from 'chai';
import type { Classification, Trial } from '../../../../harness/verify/contract/verdict.js';
import { classify, type Evidence } from '../../../../harness/verify/judging/classification.js';
import { showFinding } from '../../../../server/derive/document/document-check.js';
import type { Finding } from '../../../../server/derive/document/violation.js';
import type { GapId } from '../../../../server/operations/gaps/gaps.js';

const plain: Evidence = {
  passed: true,
  status: 200,
  rules: ['address.ppf-path', 'ppf.push'],
  gaps: { 'ppf-effect': 'push-adds', 'ppf-partial': 'apply-rest' },
  trials: [],
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
const foreign = finding({ pointer: '/y' });
const foreignHeader = finding({ part: 'header', pointer: '/X-Fake-Rules' });
const statusRule = finding({ part: 'status', pointer: '', rule: 'ppf.processed-is-200' });
const statusGap = finding({ part: 'status', pointer: '', gap: 'wiki-success' });
const held = trial('ppf-effect', 'record-only', true);
const broken = trial('ppf-partial', 'all-or-nothing', false);
const emptyList = trial('missing-field', 'empty', false);
const unknownField = trial('unknown-field', '400', false);
const anyContext = trial('context-path', 'any', true);
const success = [trial('wiki-success', 'empty', true), trial('wiki-success', 'no-content', false)];
const unshown = ['The document does not show that the status is 405.'];
const needsItem = [finding({ rule: 'ppf.needs-item' })];
const isUnique = finding({ rule: 'spaces.is-unique' });
const elsewhere: Partial<Evidence> = {
  passed: false,
  isElsewhere: true,
  ofRequest: [isUnique],
  trials: [anyContext],
  gaps: { 'context-path': 'none' },
};

const cases: Readonly<Record<string, readonly [evidence: Partial<Evidence>, classification: Classification]>> = {
  'is documented if it passes': [{}, documented],
  'is documented if it passes under everything tried': [{ trials: [held] }, documented],
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
  'rests on the gap whose other reading would make it pass': [
    { passed: false, trials: [held, broken] },
    onGap('ppf-effect', 'push-adds', held),
  ],
  'contradicts by what the document does not allow in a request, though it passed': [
    { ofRequest: [ruled, foreign, ruled], trials: [trial('ppf-effect', 'record-only', false)] },
    against(['spaces.copy-query-only'], ruled, foreign, ruled),
  ],
  'does not contradict if the contract expects the refusal': [{ ofRequest: needsItem, status: 400 }, documented],
  'contradicts if the expected refusal does not come': [
    { ofRequest: needsItem, status: 400, passed: false },
    against(['ppf.needs-item'], ...needsItem),
  ],
  'does not contradict if the expected refusal would come at another address': [
    { ...elsewhere, status: 400 },
    onGap('context-path', 'none', anyContext),
  ],
  'contradicts if the request would be accepted at another address': [
    { ...elsewhere, status: 200 },
    against(['spaces.is-unique'], isUnique),
  ],
  'does not contradict by what a gap decides': [{ ofRequest: [finding({ gap: 'unknown-field' })] }, documented],
  'rests on what a gap decides if a trial breaks it': [
    { ofRequest: [finding({ gap: 'unknown-field' })], trials: [unknownField], gaps: { 'unknown-field': 'ignore' } },
    onGap('unknown-field', 'ignore', unknownField),
  ],
  'contradicts if it expects a header that the document does not define, whatever else it rests on': [
    { ofExpectation: [foreignHeader], trials: success },
    against([], foreignHeader),
  ],
  'is documented if it expects another status or body that passes': [
    { ofExpectation: [finding({ part: 'status' }), finding({ part: 'reply' })] },
    documented,
  ],
  'is documented if it expects a header of a gap': [
    { ofExpectation: [finding({ part: 'header', gap: 'content-type' })] },
    documented,
  ],
  'contradicts the rule its expectation violates, if it passes under no reading': [
    { passed: false, ofExpectation: [statusRule, finding({ part: 'reply', gap: 'wiki-success' })] },
    against(['ppf.processed-is-200'], statusRule),
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
  'rests on the gap of its refusal, if no single reading lets it pass': [
    { passed: false, refused: 'body-absent', gaps: { 'missing-field': '400' }, trials: [emptyList] },
    onGap('missing-field', '400', emptyList),
  ],
  'contradicts the rule of its refusal, though its status is open too': [
    { passed: false, refused: 'ppf-anonymous', rules: ['ppf.authenticated'], gaps: { 'ppf-anonymous': '403' } },
    against(['ppf.authenticated']),
  ],
  'rests on the gaps of its expectation, if it is not refused and no reading gives what it expects': [
    { passed: false, gaps: { 'wiki-success': 'object' }, ofExpectation: [statusGap] },
    onGap('wiki-success', 'object'),
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
