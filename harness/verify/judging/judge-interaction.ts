// The verdict on one interaction, from its result on the server and the trials on the fake. Pure.
import { checkExpectation, checkRequest, showFinding } from '../../../server/derive/document/document-check.js';
import { rulesAbout } from '../../../server/derive/document/expectation-check.js';
import { type Decided, rulesBehind } from '../../../server/derive/document/guarantee.js';
import { type Around, askedBy } from '../../../server/derive/document/own-choices.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { deedOf, freedomOf, isFree, type Witness } from '../../../server/derive/document/witnesses.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { isSecretName, redactBody, redactHeader, redactUrl } from '../../../server/engine/secrets.js';
import { isOfEveryAddress } from '../../../server/operations/address.js';
import { defaultReadings, type GapId, isGapId } from '../../../server/operations/gaps/gaps.js';
import { type RefusalCode, refusalSpec } from '../../../server/operations/refusals.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { Contract, Interaction, UnreadableInteraction } from '../contract/contract.js';
import {
  type Classification,
  type Difference,
  type Exchange,
  NOT_PART,
  type PairTrial,
  type Reliance,
  type Trial,
  type Verdict,
} from '../contract/verdict.js';
import type { Numbered } from '../native/numbered-interactions.js';
import type { Outcome } from '../native/run-verifier.js';
import type { NativeResult } from '../native/verifier.js';
import type { Explained } from '../providers/own-fake.js';
import { MAX_PAIRS, type Tried } from './trials.js';

type Judged = Tried & { readonly result: NativeResult };
type OfKind<K extends Tried['kind']> = Judged & { readonly kind: K };

/** The results of an interaction on the fake: under the configured readings and under others, and of other servers that keep the document. */
export interface InteractionResults {
  readonly base: Explained;
  readonly result: NativeResult;
  readonly judged: readonly Judged[];
  readonly witnesses: ReadonlyArray<Witness & { readonly result: NativeResult }>;
  /** Whether all pairs of readings were tried. */
  readonly isComplete: boolean;
  /** Whether pairs of readings are shown. */
  readonly isSensitive: boolean;
}

export function verdictOn(
  numbered: Numbered,
  outcome: Outcome,
  reading: InteractionResults | undefined,
  warnings: readonly string[] = [],
): Verdict {
  const { contract, interaction } = numbered;
  const { result, request, response } = outcome;
  const broken = response === undefined ? outcome.broken : undefined;
  const untried = outcome.problem ?? (broken === undefined ? withoutResult(outcome) : undefined);
  const problem = untried ?? broken;
  return {
    contract,
    interaction,
    outcome: untried !== undefined ? 'unverified' : result?.passed ? 'passed' : 'failed',
    ...(problem !== undefined && { problem }),
    isPending: interaction.isPending || contract.broker?.isPending === true,
    warnings,
    differences: result?.differences ?? [],
    rules: reading?.base.rules ?? [],
    gaps: reading?.base.gaps ?? {},
    ...(request === undefined || reading === undefined || problem !== undefined || reading.base.fault !== undefined
      ? { ...unread, findings: asWritten(interaction) }
      : readOf(numbered, request, reading)),
    ...(request !== undefined && response !== undefined && { exchange: exchangeOf(request, response) }),
    duration: result?.duration ?? 0,
  };
}

const NO_REQUEST: HttpRequest = { method: 'GET', path: '/', headers: {} };

/** The verdict on an invalid interaction: it counts as not verified. */
export function verdictOnUnreadable(
  contract: Contract,
  { description, line, problems }: UnreadableInteraction,
): Verdict {
  const interaction: Interaction = {
    ...{
      description,
      states: [],
      isPending: false,
      request: '',
      example: NO_REQUEST,
      written: {},
      takes: [],
      warnings: [],
    },
    ...(line !== undefined && { line }),
    expected: { isExactStatus: true, headers: {}, hasBody: false },
  };
  const problem = problems.join(' ');
  const known = { contract, interaction, outcome: 'unverified', problem, isPending: false, warnings: [] } as const;
  return { ...known, differences: [], rules: [], gaps: {}, ...unread, findings: [], duration: 0 };
}

const unread: Pick<Verdict, 'classification' | 'trials' | 'addresses'> = {
  classification: { kind: 'unknown' },
  trials: [],
  addresses: [],
};

/** Why there is no result, if the verifier was not asked or sent no request. */
function withoutResult({ result, request }: Outcome): string | undefined {
  if (result === undefined) return "Pact's verifier returned no result for this interaction.";
  const { error } = result;
  if (request === undefined) return `Pact's verifier sent no request${error === undefined ? '' : `: ${error}`}.`;
  return result.passed || error === undefined ? undefined : `Pact's verifier could not judge the response: ${error}.`;
}

/** Classification by the example alone, if there is no result. A contract that expects a refusal may send an invalid request on purpose. */
function asWritten({ example, expected }: Interaction): Verdict['findings'] {
  const { ofRequest, ofExpectation } = findingsOf(example, expected);
  return [...((expected.status ?? 0) >= 400 ? [] : ofRequest), ...ofExpectation];
}

function findingsOf(request: HttpRequest, expected: Interaction['expected'], isProcessed = false) {
  const { operation, findings: ofRequest } = checkRequest(request);
  const ofExpectation =
    operation === undefined
      ? []
      : checkExpectation(operation, {
          isProcessed,
          headers: expected.headers,
          ...(expected.isExactStatus && expected.status !== undefined && { status: expected.status }),
          ...(expected.hasBody && { body: expected.body }),
        });
  return { operation, ofRequest, ofExpectation };
}

function readOf({ interaction }: Numbered, request: HttpRequest, reading: InteractionResults) {
  const { base, result, judged, isSensitive } = reading;
  const { operation, ofRequest, ofExpectation } = findingsOf(
    request,
    interaction.expected,
    base.response.status === 200,
  );
  const trials = judged.filter(isOf('alone')).map(trialOf);
  const { passed, differences } = result;
  const { refused, rules, gaps } = base;
  const pairs = judged.filter(isOf('pair')).map(pair => pairTrial(pair, passed, trials));
  const isOutside = ['confluence', 'jira'].includes(base.response.headers['x-fake-source'] ?? '');
  const differing = operation === undefined ? [] : decisiveOf(differences);
  const classification = isOutside
    ? ({ kind: 'rests', on: [], unshown: [NOT_PART] } as const)
    : classify({
        passed,
        refused,
        rules,
        differing:
          operation === undefined ? [] : differing.flatMap(one => rulesAbout(operation, base.response.status, one)),
        gaps,
        trials,
        pairs,
        unshown: unshownBy(interaction, reading),
        ofRequest,
        ofExpectation,
      });
  return {
    classification,
    findings: [...ofRequest, ...ofExpectation],
    trials,
    addresses: passed ? judged.filter(isOf('address')).map(trialOf) : [],
    ...(isSensitive && { pairs }),
  };
}

/** A response of the fake as the guarantee takes it. */
export function decidedBy({ response, refused, rules }: Explained, request: HttpRequest, world: Around): Decided {
  const { operation, findings } = checkRequest(request);
  const asked = askedBy(request, operation, world);
  return { asked, findings, status: response.status, refused, rules, body: parsedJson(response.text) };
}

/** What the document leaves open without a gap: first by the witnesses under the configured readings, else by those under others. */
function unshownBy(interaction: Interaction, { result, witnesses, isComplete }: InteractionResults): string[] {
  const missed = decisiveOf(result.differences);
  const textsOf = (some: InteractionResults['witnesses']) =>
    some.flatMap(one => (result.passed ? unfriendlyText(one) : friendlyText(one, interaction, missed)));
  const own = textsOf(witnesses.filter(({ isOwn }) => isOwn));
  const texts = own.length > 0 ? own : textsOf(witnesses);
  const first = texts.filter(([says], i) => texts.findIndex(other => other[0] === says) === i);
  return [...(isComplete ? [] : [NOT_ALL]), ...first.map(([says, does]) => `${says} A server that ${does} here.`)];
}

type JudgedWitness = InteractionResults['witnesses'][number];
type Text = readonly [says: string, does: string];

function unfriendlyText(witness: JudgedWitness): Text[] {
  if (witness.isFriendly || witness.result.passed) return [];
  return witness.result.differences.flatMap(difference => {
    const says = freedomOf(witness.guarantee, difference);
    return says === undefined ? [] : [[says, `${deedOf(witness, difference)} keeps the document and fails`]];
  });
}

function friendlyText(witness: JudgedWitness, interaction: Interaction, missed: readonly Difference[]): Text[] {
  const { result, guarantee, isFriendly, answer } = witness;
  const isMet =
    result.passed || result.differences.every(difference => isFree(guarantee, difference, interaction.expected));
  if (!isFriendly || result.error !== undefined || !isMet) return [];
  return missed.flatMap(difference => {
    const does = difference.part === 'status' ? `responds ${answer.status}` : 'responds as the contract expects';
    const says = freedomOf(guarantee, difference) ?? guarantee.body.says;
    return [[says, `${does} keeps the document and passes`]];
  });
}

const NOT_ALL = `More than ${MAX_PAIRS} pairs of readings concern this request: not all were tried.`;

function isOf<K extends Tried['kind']>(kind: K): (one: Judged) => one is OfKind<K> {
  return (one): one is OfKind<K> => one.kind === kind;
}

/** Under another status the headers and the body differ anyway. */
function decisiveOf(differences: readonly Difference[]): readonly Difference[] {
  const ofStatus = differences.filter(({ part }) => part === 'status');
  return ofStatus.length > 0 ? ofStatus : differences;
}

function trialOf({ chosen: [{ gap, reading }], result }: OfKind<'alone' | 'address'>): Trial {
  return { gap, reading, ...passesOf(result) };
}

function passesOf({ passed: passes, differences: [difference] }: NativeResult): Pick<Trial, 'passes' | 'difference'> {
  return { passes, ...(difference !== undefined && { difference }) };
}

/** News: neither reading alone has this outcome. */
function pairTrial(
  { chosen: [first, second], result }: OfKind<'pair'>,
  passed: boolean,
  trials: readonly Trial[],
): PairTrial {
  const isShown = trials.some(
    ({ gap, reading, passes }) =>
      passes === result.passed && [first, second].some(one => one.gap === gap && one.reading === reading),
  );
  return { first, second, ...passesOf(result), isPairOnly: result.passed !== passed && !isShown };
}

/** Without credentials. */
function exchangeOf({ method, path, headers, body }: HttpRequest, response: RawResponse): Exchange {
  const { status, headers: answered, text } = response;
  const sent = body === undefined ? {} : { body: redactBody(Buffer.from(body).toString('utf8')) };
  return {
    request: { method, path: redactUrl(path), headers: withoutSecrets(headers), ...sent },
    response: { status, headers: withoutSecrets(answered), text: redactBody(text) },
  };
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).filter(([name]) => !isSecretName(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, redactHeader(name, value)]));
}

export interface ClassEvidence {
  /** Whether it passed on the fake, under the configured readings. */
  readonly passed: boolean;
  /** Why the fake refused it. */
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  /** The rules about the parts of the response that are not as expected. */
  readonly differing: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** Every other reading of each gap that the request touched, one at a time and two at once. */
  readonly trials: readonly Trial[];
  readonly pairs: readonly PairTrial[];
  /** Servers that keep the document and end differently, by what the document leaves open without a gap: one sentence each. */
  readonly unshown: readonly string[];
  /** Violations in the request. */
  readonly ofRequest: readonly Finding[];
  /** Violations in the expectation. */
  readonly ofExpectation: readonly Finding[];
}

/** Whether any server that keeps the document passes decides between `contradicts` and `rests`; whether any fails, between `rests` and `documented`. */
export function classify(evidence: ClassEvidence): Classification {
  const { passed, trials, pairs, unshown } = evidence;
  const ofPairs = pairs.filter(({ isPairOnly }) => isPairOnly);
  const deciding = [
    ...trials.filter(({ passes }) => passes !== passed).map(({ gap }) => gap),
    ...ofPairs.flatMap(({ first, second }) => [first.gap, second.gap]),
  ];
  if (deciding.length + unshown.length === 0) return passed ? { kind: 'documented' } : contradiction(evidence);
  const on = reliances(evidence, deciding.length > 0 || passed ? deciding : openGaps(evidence));
  const together = ofPairs.map(pair => pairText(pair, passed));
  const others = [...together.slice(0, 1), ...(passed || deciding.length === 0 ? unshown : [])];
  return { kind: 'rests', on, ...(others.length > 0 && { unshown: others }) };
}

function pairText({ first, second }: PairTrial, passed: boolean): string {
  const both = [first, second].map(({ gap, reading }) => `${gap}=${reading}`).join(' with ');
  return `A server that follows ${both} keeps the document and ${passed ? 'fails' : 'passes'} here.`;
}

/** The gaps behind a refusal, or those about what it expects. */
function openGaps({ refused, ofExpectation, gaps }: ClassEvidence): GapId[] {
  const { gap = '' } = refused === undefined ? {} : refusalSpec(refused);
  const open = refused === undefined ? ofExpectation.flatMap(finding => finding.gap ?? []) : [gap];
  return open.filter(isGapId).filter(one => gaps[one] !== undefined);
}

/** The gaps, each with all its trials. */
function reliances({ trials, gaps }: ClassEvidence, deciding: readonly GapId[]): Reliance[] {
  return [...new Set(deciding)].map(gap => ({
    gap,
    reading: gaps[gap] ?? defaultReadings[gap],
    trials: trials.filter(trial => trial.gap === gap),
  }));
}

/** What the request violates if it was refused, else what the expectation violates, else the rules that decided. */
function contradiction(evidence: ClassEvidence): Classification {
  const { refused, ofRequest, ofExpectation } = evidence;
  const forbidden = refused === undefined ? [] : ofRequest.filter(({ gap }) => gap === undefined);
  const findings = forbidden.length > 0 ? forbidden : ofExpectation.filter(({ rule }) => rule !== undefined);
  const named = findings.length > 0 ? findings.flatMap(({ rule }) => rule ?? []) : deciding(evidence);
  return { kind: 'contradicts', rules: [...new Set(named)], says: findings.map(showFinding) };
}

/** The rules behind a refusal or a difference; else those that decided, and of these the ones about the address only if there are no others. */
function deciding({ refused, rules, differing }: ClassEvidence): readonly string[] {
  const narrow = refused === undefined ? differing : rulesBehind(refused);
  if (narrow.length > 0) return narrow;
  const others = rules.filter(rule => !isOfEveryAddress(rule));
  return others.length > 0 ? others : rules;
}
