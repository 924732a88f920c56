// The fake itself as the one that is verified, in this process; and as the one that can tell what would have been answered under other readings.
// Knows no pact file and no verifier.

import type { HttpRequest } from '../../derive/sending/call.js';
import { lengthOfBody } from '../../derive/sending/sending.js';
import { silentLog } from '../../engine/log.js';
import type { Sandbox } from '../../engine/sandbox/cached-sandbox.js';
import { type Ask, injecting } from '../../library/port/inject.js';
import type { GapId, SomeReadings } from '../../operations/gaps/gaps.js';
import { chosenReadings, type ReadingChoice } from '../../operations/gaps/profiles.js';
import { KeptScenarios } from '../../scenario/load/kept.js';
import type { Answered, Insight } from '../../scenario/play/target.js';
import { ProviderSetup } from '../../scenario/states/provider-setup.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { assemble } from '../../server.js';
import { DEFAULT_SCENARIO, settingsFrom } from '../../settings.js';
import type { WantedState } from '../contract.js';
import { Unverifiable } from '../native/verifier.js';
import type { Begun, Provider } from './provider.js';
import { tellNoState } from './state-problem.js';

/** An answer, with what decided it. */
export interface Explained {
  readonly answer: Answered;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** The fault that was put in its place: then it says nothing of the document. */
  readonly fault?: string | undefined;
}

type Assembled = Exclude<Awaited<ReturnType<typeof assemble>>, { problems: unknown }>;

export class OwnFake implements Provider {
  readonly place = 'a fake of its own';
  readonly #ask: Ask;
  readonly #scenarios: KeptScenarios;
  readonly #explained = new Map<number, Explained>();
  #asked = 0;

  private constructor(
    private readonly fake: Assembled,
    readonly scenario: string,
    readonly readings: SomeReadings,
  ) {
    this.#ask = injecting(fake.app, { length: lengthOfBody });
    this.#scenarios = new KeptScenarios(fake.context.folders);
  }

  /** A fake of a scenario (left out: the default one) under readings. Rejects with `Unverifiable` where the scenario does not load. */
  static async of(scenario: string | undefined, choice: ReadingChoice): Promise<OwnFake> {
    const settings = settingsFrom(scenario, { 'max-sandboxes': '1000000', journal: '2' }, choice);
    const fake = await assemble(settings, silentLog);
    if (isProblems(fake)) throw new Unverifiable(fake.problems.map(showProblem).join('\n'));
    return new OwnFake(fake, scenario ?? DEFAULT_SCENARIO, chosenReadings(choice));
  }

  async begin(number: number, states: readonly WantedState[]): Promise<Begun> {
    const { session, loaded } = this.fake;
    const { folders } = this.fake.context;
    const setup = new ProviderSetup({
      session,
      sandbox: beginningOf(number),
      origin: () => loaded.origin,
      folders,
      load: name => this.#scenarios.open(name),
    });
    let values = {};
    for (const { name, params } of states.length === 0 ? [{ name: '', params: {} }] : states) {
      const done = await setup.setUp(name, params);
      if ('problems' in done) return { problem: tellNoState(name, done) };
      values = { ...values, ...done.values };
    }
    return { values };
  }

  async answer(number: number, request: HttpRequest): Promise<Answered> {
    const explained = await this.ask(number, request, {});
    this.#explained.set(number, explained);
    return explained.answer;
  }

  /** What decided the answer of an interaction; `undefined` where none was given. */
  explained(number: number): Explained | undefined {
    return this.#explained.get(number);
  }

  /** The answer to a request from where an interaction begins, under these readings besides. Nothing comes of it. */
  async ask(number: number, request: HttpRequest, readings: SomeReadings): Promise<Explained> {
    const { session } = this.fake;
    const beginning = await session.latest(beginningOf(number));
    if (beginning === undefined) throw new Error(`interaction ${number} was asked before it began`);
    const name = `asked-${this.#asked++}`;
    const sandbox = await session.fork(beginning, name);
    const answer = await this.#ask({ ...request, headers: headersFor(request, name, readings) });
    const { rules, gaps, fault } = insightOf(sandbox);
    await session.drop(name);
    return { answer, rules, gaps, fault };
  }

  async finish(): Promise<void> {}

  notices(): readonly string[] {
    return [];
  }

  async close(): Promise<void> {
    this.fake.end();
  }
}

function beginningOf(number: number): string {
  return `beginning-${number}`;
}

/** The readings come after those that the request chooses itself: the later count. */
function headersFor({ headers }: HttpRequest, sandbox: string, readings: SomeReadings): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { 'x-fake-reading': chosen, ...others } = Object.fromEntries(own);
  const all = [...(chosen === undefined ? [] : [chosen]), ...Object.entries(readings).map(pair => pair.join('='))];
  return { ...others, 'x-fake-sandbox': sandbox, ...(all.length > 0 && { 'x-fake-reading': all.join(', ') }) };
}

/** A request that leaves the sandbox, or that is none of an operation, is in no journal. */
function insightOf(sandbox: Sandbox | undefined): Pick<Insight, 'rules' | 'gaps' | 'fault'> {
  return sandbox?.journal.last ?? { rules: [], gaps: {} };
}
