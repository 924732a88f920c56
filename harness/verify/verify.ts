// Verifies contracts against a server, with Pact's verifier as the judge, and against the document.
import { guaranteesOf } from '../../server/derive/document/guarantee.js';
import { friendlyTo, unfriendlyTo, type Witness } from '../../server/derive/document/witnesses.js';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { nearest } from '../../server/engine/nearest.js';
import { controlAt } from '../../server/library/target/served-fake.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { ProfileName, ReadingChoice } from '../../server/operations/gaps/profiles.js';
import type { RawResponse } from '../../server/scenario/play/target.js';
import type { Contract, Interaction } from './contract/contract.js';
import type { Verification } from './contract/verdict.js';
import { judge, NO_RESULT, type Question } from './judging/judge.js';
import { decidedBy, type InteractionResults, verdictOn, verdictOnUnreadable } from './judging/judge-interaction.js';
import { trialsOf } from './judging/trials.js';
import { type Numbered, numberAll } from './native/numbered-interactions.js';
import { type Outcome, runVerifier } from './native/run-verifier.js';
import { type NativeResult, NativeVerifier } from './native/verifier.js';
import { AnyServer } from './providers/http-provider.js';
import { type Explained, OwnFake } from './providers/own-fake.js';
import type { Provider, RemoteTarget } from './providers/provider.js';
import { FakeAt } from './providers/served-provider.js';

export interface VerifyOptions {
  /** The scenario for empty states. Default: the default scenario. */
  readonly scenario?: string | undefined;
  /** Default: that of the target, if it is a fake. */
  readonly profile?: ProfileName | undefined;
  /** The configured readings. If the target is a fake, its readings are the default. */
  readonly readings: SomeReadings;
  /** Whether to try pairs of readings as well as single ones. */
  readonly isSensitive: boolean;
  /** Default: a fake in this process. */
  readonly target?: RemoteTarget | undefined;
}

/**
 * Requests every interaction of every contract once, and from the fake under every other reading of the gaps that it touches. Rejects with
 * `Unreachable` if the target does not answer, and with `Unverifiable` if the verifier or the fake cannot run.
 */
export async function verify(contracts: readonly Contract[], options: VerifyOptions): Promise<Verification> {
  const startedAt = new Date();
  const started = performance.now();
  const numbered = numberAll(contracts);
  const verifiers = Array.from({ length: processesFor(numbered) }, () => new NativeVerifier());
  const open: Provider[] = [];
  try {
    const target = options.target === undefined ? undefined : await providerAt(options.target);
    if (target !== undefined) open.push(target);
    const own = await OwnFake.of(options.scenario, ownChoice(options, target));
    open.push(own);
    const provider: Provider = target ?? own;
    const [verifier] = verifiers;
    const outcomes = verifier === undefined ? [] : await runVerifier(numbered, provider, verifier);
    const reader = { own, isOwn: target === undefined, isSensitive: options.isSensitive };
    const readings = await read(numbered, outcomes, reader, verifiers);
    return {
      verdicts: [
        ...numbered.map((one, i) => {
          const { interaction } = one;
          const warnings = [...interaction.warnings, ...ungiven(interaction, outcomes[i] ?? {})];
          return verdictOn(one, outcomes[i] ?? {}, readings[i], warnings);
        }),
        ...contracts.flatMap(contract => contract.unreadable.map(one => verdictOnUnreadable(contract, one))),
      ],
      target: provider.place,
      scenario: own.scenario,
      notices: provider.notices?.() ?? [],
      startedAt,
      duration: performance.now() - started,
    };
  } finally {
    for (const verifier of verifiers) verifier.end();
    for (const provider of open) await provider.close();
  }
}

/** A fake with a control API, or any other server. Rejects with `Unreachable` if it does not answer, or is a fake that rejects the token. */
async function providerAt(target: RemoteTarget): Promise<Provider> {
  const { url, token, stateChangeUrl } = target;
  const port = stateChangeUrl === undefined ? await controlAt(new URL(url).origin, token) : undefined;
  if (port === undefined) return new AnyServer(target);
  return FakeAt.open(target, port).catch(error => {
    port.stop();
    throw error;
  });
}

/** A profile replaces the readings of the target. */
function ownChoice({ profile, readings }: VerifyOptions, target: Provider | undefined): ReadingChoice {
  return profile === undefined ? { readings: { ...target?.readings, ...readings } } : { profile, readings };
}

/** From this number of interactions on, two processes share the judging; the second is started with the first. */
const WORTH_TWO = 8;

function processesFor({ length }: readonly Numbered[]): number {
  if (length === 0) return 0;
  return length < WORTH_TWO ? 1 : 2;
}

/** Values that an interaction takes from its states and that no state gives: Pact silently sends the example then. */
function ungiven({ takes }: Interaction, { values }: Outcome): string[] {
  if (values === undefined) return [];
  const given = Object.keys(values);
  return takes
    .filter(name => !given.includes(name))
    .map(name => {
      const are = given.length === 0 ? 'its states return no values' : `its states return ${given.join(', ')}`;
      return `A generator needs ${`\${${name}}`} from a state${nearest(name, given)}, but ${are}: the example's value is sent instead.`;
    });
}

interface Reader {
  readonly own: OwnFake;
  /** Whether the fake is also the provider. */
  readonly isOwn: boolean;
  readonly isSensitive: boolean;
}

/** What is to be judged of an interaction. */
interface ToJudge extends Awaited<ReturnType<typeof trialsOf>> {
  readonly base: Explained;
  readonly witnesses: readonly Witness[];
}

/** The results of each interaction under other readings; `undefined` if no request was sent, or if the fake has no such state. */
async function read(
  numbered: readonly Numbered[],
  outcomes: readonly Outcome[],
  { own, isOwn, isSensitive }: Reader,
  verifiers: readonly NativeVerifier[],
): Promise<Array<InteractionResults | undefined>> {
  const known: Array<readonly [Question, NativeResult]> = [];
  const asked: Array<ToJudge | undefined> = [];
  for (const [i, one] of numbered.entries()) {
    const { request, response, result } = outcomes[i] ?? {};
    const isJudged = request !== undefined && result?.error === undefined;
    const base = isJudged ? await baseOf(one, request, own, isOwn) : undefined;
    if (isOwn && isJudged && response !== undefined && result !== undefined) known.push([{ ...one, response }, result]);
    asked.push(request && base && (await toJudge(one, request, base, own, isOwn && result?.passed === true)));
  }
  const questions = numbered.flatMap((one, i) => {
    const { base, tried = [], witnesses = [] } = asked[i] ?? {};
    const explained = [base ?? [], tried.map(under => under.explained)].flat();
    const asWitnesses = witnesses.map(({ answer, isBare }) => ({ ...one, response: rawOf(answer), isBare }));
    return [...explained.map(({ response }) => ({ ...one, response })), ...asWitnesses];
  });
  const results = (await judge(questions, known, verifiers)).values();
  const next = () => results.next().value ?? NO_RESULT;
  return asked.map(
    one =>
      one && {
        ...one,
        result: next(),
        isSensitive,
        judged: one.tried.map(tried => ({ ...tried, result: next() })),
        witnesses: one.witnesses.map(witness => ({ ...witness, result: next() })),
      },
  );
}

function rawOf({ status, headers, text }: Witness['answer']): RawResponse {
  return { status, headers, fields: Object.entries(headers), text, bytes: new TextEncoder().encode(text) };
}

/** The responses under other readings, and those of other servers that keep the document: of one that passes, only what may fail. */
async function toJudge(
  { number, interaction }: Numbered,
  request: HttpRequest,
  base: Explained,
  own: OwnFake,
  isPassed: boolean,
): Promise<ToJudge> {
  const trials = await trialsOf(own, number, request, base);
  const explained = [base, ...trials.tried.flatMap(one => (one.kind === 'address' ? [] : one.explained))];
  const world = await own.around(number, request);
  const { expected } = interaction;
  const seen = new Set<string>();
  const witnesses = explained.flatMap(one =>
    guaranteesOf(decidedBy(one, request, world)).flatMap(guarantee => {
      const size = seen.size;
      if (seen.add(JSON.stringify([guarantee, isPassed ? '' : one.response.text])).size === size) return [];
      const source = { guarantee, isOwn: one === base };
      return [...unfriendlyTo(source, expected), ...(isPassed ? [] : friendlyTo(source, one.response, expected))];
    }),
  );
  return { ...trials, base, witnesses };
}

/** The response of the fake under the configured readings; `undefined` if another server is the provider and the fake has no such states. */
async function baseOf(
  { number, interaction }: Numbered,
  request: HttpRequest,
  own: OwnFake,
  isOwn: boolean,
): Promise<Explained | undefined> {
  if (isOwn) return own.explained(number);
  const begun = await own.begin(number, interaction.states);
  return 'problem' in begun ? undefined : own.ask(number, request, {});
}
