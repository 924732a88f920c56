// The verdict on one interaction, from what came of it on the server and what was tried on the fake. Pure: asks nobody.

import { checkExpectation, checkRequest } from '../../derive/document/document-check.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import type { Answered } from '../../scenario/play/target.js';
import type { Contract, Interaction, UnreadableInteraction } from '../contract.js';
import type { Numbered } from '../native/numbered.js';
import type { Outcome } from '../native/run-verifier.js';
import type { NativeResult } from '../native/verifier.js';
import type { Explained } from '../providers/own-fake.js';
import type { Tried } from '../sensitivity/trials.js';
import type { Exchange, PairTrial, Trial, Verdict } from '../verdict.js';
import { isAddressGap } from './address-reliance.js';
import { standingOf } from './classification.js';

interface Judged {
  readonly chosen: Tried['chosen'];
  /** The status of the answer. */
  readonly status: number;
  readonly result: NativeResult;
}

/** What became of an interaction on the fake: under the readings that count, and under others. */
export interface Reading {
  readonly base: Explained;
  readonly result: NativeResult;
  readonly alone: readonly Judged[];
  /** Under other readings of where the provider is served. */
  readonly addresses: readonly Judged[];
  /** What it expects and the document does not show, one sentence each, as far as its answer is what it expects. */
  readonly unshown: readonly string[];
  readonly pairs?: readonly Judged[];
}

export function verdictOn(numbered: Numbered, outcome: Outcome, reading: Reading | undefined): Verdict {
  const { contract, interaction } = numbered;
  const { result, problem, request, answer } = outcome;
  const broken = answer === undefined ? outcome.broken : undefined;
  const untried = problem ?? (broken === undefined ? unasked(outcome) : undefined);
  const told = untried ?? (broken === undefined ? undefined : `The target broke the connection off: ${broken}.`);
  return {
    contract,
    interaction,
    outcome: untried !== undefined ? 'unverified' : result?.held ? 'held' : 'failed',
    ...(told !== undefined && { problem: told }),
    isPending: interaction.isPending || contract.broker?.isPending === true,
    differences: result?.differences ?? [],
    rules: reading?.base.rules ?? [],
    gaps: reading?.base.gaps ?? {},
    ...(request === undefined || reading === undefined || reading.base.fault !== undefined
      ? { ...unread, findings: asWritten(interaction) }
      : readOf(numbered, request, reading)),
    ...(request !== undefined && answer !== undefined && { exchange: exchangeOf(request, answer) }),
    duration: result?.duration ?? 0,
  };
}

const NO_REQUEST: HttpRequest = { method: 'GET', path: '/', headers: {} };

/** The verdict on an interaction that is to be mended first: it counts as one that was not verified. */
export function verdictOnUnreadable(
  contract: Contract,
  { description, line, problems }: UnreadableInteraction,
): Verdict {
  const interaction: Interaction = {
    ...{ description, states: [], isPending: false, request: '', example: NO_REQUEST, written: {}, takes: [] },
    ...(line !== undefined && { line }),
    expected: { isExactStatus: true, headers: {}, hasBody: false },
  };
  const problem = problems.join(' ');
  const known = { contract, interaction, outcome: 'unverified', problem, isPending: false } as const;
  return { ...known, differences: [], rules: [], gaps: {}, ...unread, findings: [], duration: 0 };
}

const unread: Pick<Verdict, 'standing' | 'trials' | 'addresses'> = {
  standing: { kind: 'unknown' },
  trials: [],
  addresses: [],
};

/** Why nothing is known of an interaction, where the verifier was not asked for it or did not ask itself. */
function unasked({ result, request }: Outcome): string | undefined {
  if (result === undefined) return "Pact's verifier gave no result for this interaction: nothing is known of it.";
  if (request === undefined) return `Pact's verifier did not ask: ${result.error ?? 'it does not say why'}.`;
  return result.held || result.error === undefined
    ? undefined
    : `Pact's verifier could not read the answer: ${result.error}.`;
}

/** What its example alone shows, where nothing came of it. Where it expects to be refused, what is wrong with its request may be what it is about. */
function asWritten({ example, expected }: Interaction): Verdict['findings'] {
  const { ofRequest, ofExpectation } = findingsOf(example, expected);
  return [...((expected.status ?? 0) >= 400 ? [] : ofRequest), ...ofExpectation];
}

function findingsOf(request: HttpRequest, expected: Interaction['expected']) {
  const { operation, findings: ofRequest } = checkRequest(request);
  const ofExpectation =
    operation === undefined
      ? []
      : checkExpectation(operation, {
          headers: expected.headers,
          ...(expected.isExactStatus && expected.status !== undefined && { status: expected.status }),
          ...(expected.hasBody && { body: expected.body }),
        });
  return { ofRequest, ofExpectation };
}

function readOf(
  { interaction }: Numbered,
  request: HttpRequest,
  { base, result, alone, addresses, pairs, unshown }: Reading,
) {
  const { ofRequest, ofExpectation } = findingsOf(request, interaction.expected);
  const trials = alone.map(trialOf);
  const { held, differences } = result;
  const { rules, gaps } = base;
  const elsewhere = held ? undefined : alone.find(({ chosen: [{ gap }], result }) => isAddressGap(gap) && result.held);
  const standing = standingOf({
    held,
    isElsewhere: elsewhere !== undefined,
    differences,
    status: elsewhere?.status ?? base.answer.status,
    rules,
    gaps,
    trials,
    unshown: held ? unshown : [],
    ofRequest,
    ofExpectation,
  });
  return {
    standing,
    findings: [...ofRequest, ...ofExpectation],
    trials,
    addresses: held ? addresses.map(trialOf) : [],
    ...(pairs !== undefined && { pairs: pairs.flatMap(pair => pairTrial(pair, held, trials)) }),
  };
}

function trialOf({
  chosen: [{ gap, reading }],
  result: {
    held,
    differences: [difference],
  },
}: Judged): Trial {
  return { gap, reading, holds: held, ...(difference !== undefined && { difference }) };
}

/** News is what neither reading alone has shown. */
function pairTrial({ chosen: [first, second], result }: Judged, held: boolean, trials: readonly Trial[]): PairTrial[] {
  if (second === undefined) return [];
  const {
    held: holds,
    differences: [difference],
  } = result;
  const isShown = trials.some(
    trial =>
      trial.holds === holds &&
      [first, second].some(({ gap, reading }) => trial.gap === gap && trial.reading === reading),
  );
  return [
    { first, second, holds, ...(difference !== undefined && { difference }), isNews: holds !== held && !isShown },
  ];
}

function exchangeOf(
  { method, path, headers, body }: HttpRequest,
  { status, headers: answered, text }: Answered,
): Exchange {
  return {
    request: {
      method,
      path,
      headers,
      ...(body !== undefined && { body: Buffer.from(body).toString('utf8') }),
    },
    answer: { status, headers: answered, text },
  };
}
