// Verdicts made by hand, without a run. For the tests of output and reports.
import type { Contract, Interaction } from '../../../harness/verify/contract/contract.js';
import type { Difference, Trial, Verdict, Verification } from '../../../harness/verify/contract/verdict.js';

export function contractOf(rest: Partial<Contract> = {}): Contract {
  return {
    consumer: 'web',
    provider: 'wiki-extension',
    version: '4.0',
    source: 'pacts/web.json',
    interactions: [],
    unreadable: [],
    notices: [],
    document: { secret: 'the whole file' },
    ...rest,
  };
}

export function interactionOf(rest: Partial<Interaction> = {}): Interaction {
  return {
    description: 'adds a member',
    states: [],
    isPending: false,
    request: 'POST /rest/cwxapiextension/latest/groups/add-users',
    example: { method: 'POST', path: '/rest/cwxapiextension/latest/groups/add-users', headers: {} },
    expected: { status: 200, isExactStatus: true, headers: {}, hasBody: false },
    written: { secret: 'as the file has it' },
    line: 12,
    takes: [],
    warnings: [],
    ...rest,
  };
}

export const web = contractOf();

/** Passed and documented, unless given otherwise. */
export function verdictOf(rest: Partial<Verdict> = {}, interaction: Partial<Interaction> = {}): Verdict {
  return {
    contract: web,
    interaction: interactionOf(interaction),
    outcome: 'passed',
    isPending: false,
    warnings: [],
    differences: [],
    rules: ['groups.add-users'],
    gaps: {},
    classification: { kind: 'documented' },
    findings: [],
    trials: [],
    addresses: [],
    duration: 4,
    ...rest,
  };
}

export function verificationOf(verdicts: readonly Verdict[], rest: Partial<Verification> = {}): Verification {
  return {
    verdicts,
    target: 'a fake in this process',
    scenario: 'small-team',
    notices: [],
    startedAt: new Date('2026-03-01T10:00:00.000Z'),
    duration: 1234,
    ...rest,
  };
}

export const noBody: Difference = {
  part: 'body',
  place: '$',
  says: 'Body at $: expected an object, and there is none.',
};
export const notFound: Difference = { part: 'status', place: '', says: 'Status: expected 200, got 404.' };

const successTrials: readonly Trial[] = [
  { gap: 'wiki-success', reading: 'empty', passes: false, difference: noBody },
  { gap: 'wiki-success', reading: 'no-content', passes: false, difference: noBody },
  { gap: 'wiki-success', reading: 'messages', passes: true },
];

/** Passed, and would fail under two other readings. */
export const resting = verdictOf(
  {
    gaps: { 'wiki-success': 'object' },
    trials: successTrials,
    classification: { kind: 'rests', on: [{ gap: 'wiki-success', reading: 'object', trials: successTrials }] },
  },
  { description: 'reads the response', line: 30 },
);

const missingTrials: readonly Trial[] = [{ gap: 'missing-field', reading: 'empty', passes: true }];

/** Failed, and would pass under another reading. */
export const failing = verdictOf(
  {
    outcome: 'failed',
    differences: [notFound, noBody],
    rules: ['groups.body'],
    gaps: { 'missing-field': '400' },
    trials: missingTrials,
    classification: { kind: 'rests', on: [{ gap: 'missing-field', reading: '400', trials: missingTrials }] },
    exchange: {
      request: {
        method: 'POST',
        path: '/rest/cwxapiextension/latest/groups/add-users',
        headers: { 'Content-Type': 'application/json' },
        body: '{"group":"customers"}',
      },
      response: { status: 404, headers: {}, text: '{"statusCode":404}' },
    },
  },
  { description: 'leaves the users out', line: 48, states: [{ name: 'group exists', params: { name: 'customers' } }] },
);

/** Passed, and asks for something the document does not allow. */
export const forbidden = verdictOf(
  {
    rules: ['spaces.copy'],
    classification: { kind: 'contradicts', rules: ['spaces.copy-query-only'], says: [] },
    findings: [
      {
        part: 'body',
        pointer: '',
        expected: 'no body: everything is in the query',
        found: 'a body',
        rule: 'spaces.copy-query-only',
      },
    ],
  },
  {
    description: 'copies a space with a body',
    line: 60,
    request: 'POST /rest/cwxapiextension/latest/spaces/copySpace',
  },
);

export const untried = verdictOf(
  {
    outcome: 'unverified',
    problem: 'Unknown state "unlicenced" (did you mean "unlicensed"?).',
    rules: [],
    classification: { kind: 'unknown' },
  },
  { description: 'asks without a licence', line: 70, states: [{ name: 'unlicenced', params: {} }] },
);

export const pending = verdictOf(
  { ...untried, isPending: true, outcome: 'failed', differences: [notFound] },
  { description: 'is not ready', line: 80 },
);
