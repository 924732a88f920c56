// Classifies an interaction against the document, branch by branch, from evidence made by hand.
import { expect } from 'chai';
import type { Trial } from '../../../../harness/verify/contract/verdict.js';
import { classify, type Evidence } from '../../../../harness/verify/judging/classification.js';
import { showFinding } from '../../../../server/derive/document/document-check.js';
import type { Finding } from '../../../../server/derive/document/violation.js';

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
const classification = (rest: Partial<Evidence>) => classify({ ...plain, ...rest });

describe('the classification of an interaction', () => {
  it('is documented if it passes under everything tried', () => {
    expect(classification({})).to.deep.equal({ kind: 'documented' });
    expect(classification({ trials: [trial('ppf-effect', 'record-only', true)] })).to.deep.equal({
      kind: 'documented',
    });
  });

  it('rests on the gaps with a reading that breaks it, each with all its trials', () => {
    const trials = [
      trial('ppf-effect', 'record-only', true),
      trial('ppf-partial', 'all-or-nothing', false),
      trial('wiki-success', 'empty', true),
      trial('wiki-success', 'no-content', false),
    ];
    expect(classification({ trials, gaps: { ...plain.gaps, 'wiki-success': 'object' } })).to.deep.equal({
      kind: 'rests',
      on: [
        { gap: 'ppf-partial', reading: 'apply-rest', trials: [trials[1]] },
        { gap: 'wiki-success', reading: 'object', trials: [trials[2], trials[3]] },
      ],
    });
  });

  it('rests on no gap if it expects what the document does not show', () => {
    const unshown = ['The document does not show that the status is 405.'];
    expect(classification({ unshown })).to.deep.equal({ kind: 'rests', on: [], unshown });
  });

  it('contradicts if it expects a header that only the fake sends, whatever else it rests on', () => {
    const foreign = finding({ part: 'header', pointer: 'X-Fake-Operation' });
    const trials = [trial('wiki-success', 'empty', false)];
    expect(classification({ ofExpectation: [foreign], trials })).to.include({ kind: 'contradicts' });
  });

  it('rests on the gap whose other reading would make it pass', () => {
    const trials = [trial('ppf-effect', 'record-only', true), trial('ppf-partial', 'all-or-nothing', false)];
    expect(classification({ passed: false, trials })).to.deep.equal({
      kind: 'rests',
      on: [{ gap: 'ppf-effect', reading: 'push-adds', trials: [trials[0]] }],
    });
  });

  it('contradicts if the request has something the document does not allow, though it passed', () => {
    const ruled = finding({ rule: 'spaces.copy-query-only' });
    const foreign = finding({ pointer: '/y' });
    const trials = [trial('ppf-effect', 'record-only', false)];
    expect(classification({ ofRequest: [ruled, foreign, ruled], trials })).to.deep.equal({
      kind: 'contradicts',
      rules: ['spaces.copy-query-only'],
      says: [showFinding(ruled), showFinding(foreign), showFinding(ruled)],
    });
  });

  it('does not contradict if the contract expects the refusal', () => {
    const ofRequest = [finding({ rule: 'ppf.needs-item' })];
    expect(classification({ ofRequest, status: 400 })).to.deep.equal({ kind: 'documented' });
    expect(classification({ ofRequest, status: 400, passed: false }).kind).to.equal('contradicts');
  });

  it('does not contradict if the expected refusal would come at another address', () => {
    const ofRequest = [finding({ rule: 'spaces.is-unique' })];
    const elsewhere = { passed: false, isElsewhere: true, status: 400, trials: [trial('context-path', 'any', true)] };
    expect(classification({ ...elsewhere, ofRequest }).kind).to.equal('rests');
    expect(classification({ ...elsewhere, status: 200, ofRequest }).kind).to.equal('contradicts');
  });

  it('does not contradict by what a gap decides: the trials count', () => {
    const ofRequest = [finding({ gap: 'unknown-field' })];
    expect(classification({ ofRequest })).to.deep.equal({ kind: 'documented' });
    expect(classification({ ofRequest, trials: [trial('unknown-field', '400', false)] }).kind).to.equal('rests');
  });

  it('contradicts if it expects a header that the document does not define', () => {
    const foreign = finding({ part: 'header', pointer: '/X-Fake-Rules' });
    expect(classification({ ofExpectation: [foreign] })).to.deep.equal({
      kind: 'contradicts',
      rules: [],
      says: [showFinding(foreign)],
    });
    expect(classification({ ofExpectation: [finding({ part: 'status' }), finding({ part: 'reply' })] })).to.deep.equal({
      kind: 'documented',
    });
    expect(classification({ ofExpectation: [finding({ part: 'header', gap: 'content-type' })] })).to.deep.equal({
      kind: 'documented',
    });
  });

  it('contradicts the rule its expectation violates, if it passes under no reading', () => {
    const against = finding({ part: 'status', pointer: '', rule: 'ppf.processed-is-200' });
    const ofExpectation = [against, finding({ part: 'reply', gap: 'wiki-success' })];
    expect(classification({ passed: false, ofExpectation })).to.deep.equal({
      kind: 'contradicts',
      rules: ['ppf.processed-is-200'],
      says: [showFinding(against)],
    });
  });

  it('contradicts the rules about what differs, not all that applied', () => {
    const rules = ['ppf.push', 'ppf.processed-is-200', 'ppf.success-flag'];
    expect(classification({ passed: false, rules, differing: ['ppf.success-flag'] })).to.deep.equal({
      kind: 'contradicts',
      rules: ['ppf.success-flag'],
      says: [],
    });
  });

  it('contradicts the rule behind a refusal, whatever differs', () => {
    const refused = { refused: 'ppf-not-admin', rules: ['ppf.admin-only', 'ppf.body-types'], status: 403 } as const;
    expect(classification({ ...refused, passed: false, differing: ['ppf.processed-is-200'] })).to.deep.equal({
      kind: 'contradicts',
      rules: ['ppf.admin-only'],
      says: [],
    });
  });

  it('rests on the gap of its refusal, if no single reading lets it pass', () => {
    const gaps = { 'missing-field': '400' } as const;
    const trials = [trial('missing-field', 'empty', false)];
    const absent = { passed: false, status: 400, rules: ['address.extension-path'], refused: 'body-absent' } as const;
    expect(classification({ ...absent, gaps, trials })).to.deep.equal({
      kind: 'rests',
      on: [{ gap: 'missing-field', reading: '400', trials }],
    });
  });

  it('contradicts the rule of its refusal, though its status is open too', () => {
    const refused = { refused: 'ppf-anonymous', rules: ['ppf.authenticated'], status: 403 } as const;
    expect(classification({ ...refused, passed: false, gaps: { 'ppf-anonymous': '403' } })).to.deep.equal({
      kind: 'contradicts',
      rules: ['ppf.authenticated'],
      says: [],
    });
  });

  it('rests on the gaps of its expectation, if it is not refused and no reading gives what it expects', () => {
    const ofExpectation = [finding({ part: 'status', pointer: '', gap: 'wiki-success' })];
    const rules = ['groups.body', 'groups.add-users'];
    expect(classification({ passed: false, rules, gaps: { 'wiki-success': 'object' }, ofExpectation })).to.deep.equal({
      kind: 'rests',
      on: [{ gap: 'wiki-success', reading: 'object', trials: [] }],
    });
  });

  it('contradicts the rules that decided if there is no finding; those of the address only if there are no others', () => {
    expect(classification({ passed: false })).to.deep.equal({ kind: 'contradicts', rules: ['ppf.push'], says: [] });
    expect(classification({ passed: false, rules: ['address.case-sensitive'] })).to.deep.equal({
      kind: 'contradicts',
      rules: ['address.case-sensitive'],
      says: [],
    });
    expect(classification({ passed: false, rules: [] })).to.deep.equal({ kind: 'contradicts', rules: [], says: [] });
  });
});
