// How an interaction stands to the document, branch by branch, from evidence made by hand.
import { expect } from 'chai';
import { type Finding, showFinding } from '../../../server/derive/document/document-check.js';
import { type Evidence, standingOf } from '../../../server/verify/judging/classification.js';
import type { Trial } from '../../../server/verify/verdict.js';

const plain: Evidence = {
  held: true,
  differences: [],
  status: 200,
  rules: ['address.ppf-path', 'ppf.push'],
  gaps: { 'ppf-effect': 'push-adds', 'ppf-partial': 'apply-rest' },
  trials: [],
  ofRequest: [],
  ofExpectation: [],
};
const trial = (gap: Trial['gap'], reading: string, holds: boolean): Trial => ({ gap, reading, holds });
const finding = (rest: Partial<Finding>): Finding => ({
  part: 'body',
  pointer: '/x',
  expected: 'nothing',
  found: 'something',
  ...rest,
});
const standing = (rest: Partial<Evidence>) => standingOf({ ...plain, ...rest });

describe('the standing of an interaction', () => {
  it('is documented where it holds under whatever was tried', () => {
    expect(standing({})).to.deep.equal({ kind: 'documented' });
    expect(standing({ trials: [trial('ppf-effect', 'record-only', true)] })).to.deep.equal({ kind: 'documented' });
  });

  it('rests on the gaps of which a reading breaks it, each with all that was tried of it', () => {
    const trials = [
      trial('ppf-effect', 'record-only', true),
      trial('ppf-partial', 'all-or-nothing', false),
      trial('wiki-success', 'empty', true),
      trial('wiki-success', 'no-content', false),
    ];
    expect(standing({ trials, gaps: { ...plain.gaps, 'wiki-success': 'object' } })).to.deep.equal({
      kind: 'rests',
      on: [
        { gap: 'ppf-partial', reading: 'apply-rest', trials: [trials[1]] },
        { gap: 'wiki-success', reading: 'object', trials: [trials[2], trials[3]] },
      ],
    });
  });

  it('rests on no gap where it expects what the document does not show', () => {
    const unshown = ['The document does not show that the status is 405.'];
    expect(standing({ unshown })).to.deep.equal({ kind: 'rests', on: [], unshown });
  });

  it('contradicts where it expects a header that only the fake sends, whatever it rests on besides', () => {
    const foreign = finding({ part: 'header', pointer: 'X-Fake-Operation' });
    const trials = [trial('wiki-success', 'empty', false)];
    expect(standing({ ofExpectation: [foreign], trials })).to.include({ kind: 'contradicts' });
  });

  it('rests on the gap of which another reading would make it hold', () => {
    const trials = [trial('ppf-effect', 'record-only', true), trial('ppf-partial', 'all-or-nothing', false)];
    expect(standing({ held: false, trials })).to.deep.equal({
      kind: 'rests',
      on: [{ gap: 'ppf-effect', reading: 'push-adds', trials: [trials[0]] }],
    });
  });

  it('contradicts where the request has what the document does not allow, though it held', () => {
    const ruled = finding({ rule: 'spaces.copy-query-only' });
    const foreign = finding({ pointer: '/y' });
    const trials = [trial('ppf-effect', 'record-only', false)];
    expect(standing({ ofRequest: [ruled, foreign, ruled], trials })).to.deep.equal({
      kind: 'contradicts',
      rules: ['spaces.copy-query-only'],
      says: [showFinding(ruled), showFinding(foreign), showFinding(ruled)],
    });
  });

  it('does not where being refused is what the contract is about', () => {
    const ofRequest = [finding({ rule: 'ppf.needs-item' })];
    expect(standing({ ofRequest, status: 400 })).to.deep.equal({ kind: 'documented' });
    expect(standing({ ofRequest, status: 400, held: false }).kind).to.equal('contradicts');
  });

  it('does not where it would be refused as it expects if the provider were served elsewhere', () => {
    const ofRequest = [finding({ rule: 'spaces.is-unique' })];
    const elsewhere = { held: false, isElsewhere: true, status: 400, trials: [trial('context-path', 'any', true)] };
    expect(standing({ ...elsewhere, ofRequest }).kind).to.equal('rests');
    expect(standing({ ...elsewhere, status: 200, ofRequest }).kind).to.equal('contradicts');
  });

  it('does not for what a gap decides: then what was tried tells', () => {
    const ofRequest = [finding({ gap: 'unknown-field' })];
    expect(standing({ ofRequest })).to.deep.equal({ kind: 'documented' });
    expect(standing({ ofRequest, trials: [trial('unknown-field', '400', false)] }).kind).to.equal('rests');
  });

  it('contradicts where the answer is to have a header that the document does not know', () => {
    const foreign = finding({ part: 'header', pointer: '/X-Fake-Rules' });
    expect(standing({ ofExpectation: [foreign] })).to.deep.equal({
      kind: 'contradicts',
      rules: [],
      says: [showFinding(foreign)],
    });
    expect(standing({ ofExpectation: [finding({ part: 'status' }), finding({ part: 'reply' })] })).to.deep.equal({
      kind: 'documented',
    });
    expect(standing({ ofExpectation: [finding({ part: 'header', gap: 'content-type' })] })).to.deep.equal({
      kind: 'documented',
    });
  });

  it('contradicts the rule that the expectation goes against, where it holds under no reading', () => {
    const against = finding({ part: 'status', pointer: '', rule: 'ppf.processed-is-200' });
    const ofExpectation = [against, finding({ part: 'reply', gap: 'wiki-success' })];
    expect(standing({ held: false, ofExpectation })).to.deep.equal({
      kind: 'contradicts',
      rules: ['ppf.processed-is-200'],
      says: [showFinding(against)],
    });
  });

  it('contradicts the rules that decided, where nothing was found; those of the address only where there are no others', () => {
    expect(standing({ held: false })).to.deep.equal({ kind: 'contradicts', rules: ['ppf.push'], says: [] });
    expect(standing({ held: false, rules: ['address.case-sensitive'] })).to.deep.equal({
      kind: 'contradicts',
      rules: ['address.case-sensitive'],
      says: [],
    });
    expect(standing({ held: false, rules: [] })).to.deep.equal({ kind: 'contradicts', rules: [], says: [] });
  });
});
