// A fake in this process as the provider under verification, and as the one that answers under other readings.
import type { Around } from '../../../server/derive/document/own-choices.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { lengthOfBody } from '../../../server/derive/sending/sending.js';
import { DEFAULT_URL } from '../../../server/derive/served-at.js';
import { silentLog } from '../../../server/engine/log.js';
import { InProcessPort } from '../../../server/library/port/in-process-port.js';
import { injecting } from '../../../server/library/port/inject.js';
import { FakeSandbox } from '../../../server/library/sandbox/sandbox.js';
import type { GapId, SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { chosenReadings, type ReadingChoice } from '../../../server/operations/gaps/profiles.js';
import type { RefusalCode } from '../../../server/operations/refusals.js';
import { assemble } from '../../../server/process/server.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';
import { DEFAULT_SCENARIO, settingsFrom } from '../../../server/settings/settings.js';
import type { WantedState } from '../contract/contract.js';
import { setUp } from './fake-states.js';
import { type Begun, type Provider, Unverifiable } from './provider.js';

/** A response with its provenance. */
export interface Explained {
  readonly response: RawResponse;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** Why it was refused. */
  readonly refused?: RefusalCode | undefined;
  /** The fault that replaced it: then the response says nothing about the document. */
  readonly fault?: string | undefined;
}

type Assembled = Exclude<Awaited<ReturnType<typeof assemble>>, { problems: unknown }>;

export class OwnFake implements Provider {
  readonly place = 'a fake in this process';
  readonly isRemote = false;
  readonly #port: InProcessPort;
  readonly #explained = new Map<number, Explained>();
  #asked = 0;

  private constructor(
    private readonly fake: Assembled,
    readonly scenario: string,
    readonly readings: SomeReadings,
  ) {
    this.#port = new InProcessPort(DEFAULT_URL, fake.context, injecting(fake.app, { length: lengthOfBody }));
  }

  /** A fake of a scenario (default: the default scenario) under readings. Rejects with `Unverifiable` if the scenario does not load. */
  static async of(scenario: string | undefined, choice: ReadingChoice): Promise<OwnFake> {
    const settings = settingsFrom(scenario, { 'max-sandboxes': '1000000', journal: '2' }, choice);
    const fake = await assemble(settings, silentLog);
    if (isProblems(fake)) throw new Unverifiable(fake.problems.map(showProblem).join('\n'));
    return new OwnFake(fake, scenario ?? DEFAULT_SCENARIO, chosenReadings(choice));
  }

  begin(number: number, states: readonly WantedState[]): Promise<Begun> {
    return setUp(new FakeSandbox(this.#port, beginningOf(number)), states);
  }

  async respond(number: number, request: HttpRequest): Promise<RawResponse> {
    const explained = await this.ask(number, request, {});
    this.#explained.set(number, explained);
    return explained.response;
  }

  /** Provenance of an interaction's response; `undefined` if there was none. */
  explained(number: number): Explained | undefined {
    return this.#explained.get(number);
  }

  /** The response to a request from the start of an interaction, under these additional readings. Changes nothing. */
  async ask(number: number, request: HttpRequest, readings: SomeReadings): Promise<Explained> {
    const begun = new FakeSandbox(this.#port, beginningOf(number), { mustExist: true });
    const forked = await begun.fork(`asked-${this.#asked++}`);
    const response = await this.#port.ask({ ...request, headers: headersFor(request, forked.name, readings) });
    const { rules, gaps, refused, fault } = (await forked.journal()).at(-1) ?? UNRECORDED;
    await forked.drop();
    return { response, rules, gaps, refused, fault };
  }

  /** The world at the start of an interaction, if its request names groups, a page or a space to copy. */
  async around(number: number, { path, body = '' }: HttpRequest): Promise<Around> {
    if (!Buffer.from(body).includes('"groups"') && !/\/permissions\/|\/copySpace/.test(path)) return {};
    return await new FakeSandbox(this.#port, beginningOf(number), { mustExist: true }).world();
  }

  async close(): Promise<void> {
    this.fake.end();
  }
}

function beginningOf(number: number): string {
  return `beginning-${number}`;
}

/** These readings come after those of the request itself: the last one wins. */
function headersFor({ headers }: HttpRequest, sandbox: string, readings: SomeReadings): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { 'x-fake-reading': chosen, ...others } = Object.fromEntries(own);
  const all = [...(chosen === undefined ? [] : [chosen]), ...Object.entries(readings).map(pair => pair.join('='))];
  return { ...others, 'x-fake-sandbox': sandbox, ...(all.length > 0 && { 'x-fake-reading': all.join(', ') }) };
}

/** For a request that leaves the sandbox or asks for no operation: no journal has it. */
const UNRECORDED: Omit<Explained, 'response'> = { rules: [], gaps: {} };
