// The verdict on one interaction, from its result on the server and the trials on the fake. Pure.

import { checkExpectation, checkRequest } from '../../../server/derive/document/document-check.js';
import { rulesAbout } from '../../../server/derive/document/expectation-check.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isSecretName, redactBody, redactHeader, redactUrl } from '../../../server/engine/secrets.js';
import { isAddressGap } from '../../../server/operations/gaps/gaps-address.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { Contract, Interaction, UnreadableInteraction } from '../contract/contract.js';
import {
  type Difference,
  type Exchange,
  NOT_PART,
  type PairTrial,
  type Trial,
  type Verdict,
} from '../contract/verdict.js';
import type { Numbered } from '../native/numbered-interactions.js';
import type { Outcome } from '../native/run-verifier.js';
import type { NativeResult } from '../native/verifier.js';
import type { Explained } from '../providers/own-fake.js';
import { classify } from './classification.js';
import type { Tried } from './trials.js';

type Judged = Tried & { readonly result: NativeResult };
type OfKind<K extends Tried['kind']> = Judged & { readonly kind: K };

/** The results of an interaction on the fake: under the configured readings and under others. */
export interface Reading {
  readonly base: Explained;
  readonly result: NativeResult;
  readonly judged: readonly Judged[];
  /** Whether pairs of readings were tried. */
  readonly isSensitive: boolean;
}

export function verdictOn(
  numbered: Numbered,
  outcome: Outcome,
  reading: Reading | undefined,
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
    ...{ description, states: [], isPending: false, request: '', example: NO_REQUEST, written: {}, takes: [] },
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

/** About a failed interaction with the fake itself. */
const NO_RULE = 'The document does not describe what this request asks for.';

function readOf({ interaction }: Numbered, request: HttpRequest, { base, result, judged, isSensitive }: Reading) {
  const isProcessed = base.response.status === 200;
  const { operation, ofRequest, ofExpectation } = findingsOf(request, interaction.expected, isProcessed);
  const alone = judged.filter(isOf('alone'));
  const trials = alone.map(trialOf);
  const { passed, differences } = result;
  const { refused, rules, gaps } = base;
  const elsewhere = passed
    ? undefined
    : alone.find(({ chosen: [{ gap }], result: there }) => isAddressGap(gap) && there.passed);
  const decisive = decisiveOf(differences);
  const open = decisive.flatMap(difference => openText(difference) ?? []);
  const isOutside = ['confluence', 'jira'].includes(base.response.headers['x-fake-source'] ?? '');
  const isUnruled = !passed && rules.length === 0 && operation === undefined;
  const failing = judged.filter(isOf('unshown')).filter(one => !one.result.passed);
  const unshown = [...new Set(failing.map(({ says }) => says))];
  const classification = classify({
    passed,
    isElsewhere: elsewhere !== undefined,
    status: elsewhere?.response.status ?? base.response.status,
    refused,
    rules,
    differing: operation === undefined ? [] : decisive.flatMap(one => rulesAbout(operation, base.response.status, one)),
    openDifferences: open.length === decisive.length ? open : [],
    gaps,
    trials,
    unshown: isOutside ? [NOT_PART] : passed ? unshown : isUnruled ? [NO_RULE] : [],
    ofRequest,
    ofExpectation,
  });
  return {
    classification,
    findings: [...ofRequest, ...ofExpectation],
    trials,
    addresses: passed ? judged.filter(isOf('address')).map(trialOf) : [],
    ...(isSensitive && { pairs: judged.filter(isOf('pair')).map(pair => pairTrial(pair, passed, trials)) }),
  };
}

function isOf<K extends Tried['kind']>(kind: K): (one: Judged) => one is OfKind<K> {
  return (one): one is OfKind<K> => one.kind === kind;
}

/** Under another status the headers and the body differ anyway. */
function decisiveOf(differences: readonly Difference[]): readonly Difference[] {
  const ofStatus = differences.filter(({ part }) => part === 'status');
  return ofStatus.length > 0 ? ofStatus : differences;
}

/** The text for a difference in what the document leaves open: headers, further fields, and the number and form of messages. */
function openText({ part, place, says }: Difference): string | undefined {
  if (part === 'header') return `The document does not show this value of the header ${place}.`;
  if (part === 'body' && /^\$\.messages\b|^\$\['messages'\]/.test(place))
    return 'The document limits neither the number nor the form of messages.';
  const [, fields] = /missing the following keys: (.+)\.$/.exec(says) ?? [];
  return fields === undefined ? undefined : `The document does not show the fields ${fields}.`;
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
