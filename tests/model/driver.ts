// Performs the steps of a course on a fake through the library, each call through a handle of its own, as in different tests. Of a fake elsewhere
// every call goes over its control API. The results are compared elsewhere.
import { authorization } from '../../server/derive/sending/call.js';
import { type Fake, FakeError, type Fault, type Sandbox, type SandboxOptions } from '../../server/index.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Came, ModelFault } from './model.js';
import type { Json } from './model-world.js';
import type { ModelRequest } from './operations/given.js';
import type { ModelReadings } from './readings.js';

/** An impossible step, whatever the message. */
export const REFUSED = 'refused';
export type OrRefused<T> = T | typeof REFUSED;

export interface Making {
  readonly readings?: ModelReadings;
  readonly clock?: string;
}
export interface SeenSnapshot {
  readonly name: string;
  readonly version: number;
  readonly at: string;
}
export interface SeenEntry {
  readonly id: number;
  readonly url: string;
  readonly operation?: string;
  readonly response: { readonly status: number };
  readonly fault?: string;
  readonly before: number;
  readonly version: number;
}
export interface SeenExplanation {
  readonly response: { readonly status: number; readonly body?: unknown };
  readonly under?: { readonly response: { readonly status: number; readonly body?: unknown } };
}
export interface SeenDifference {
  readonly from: number;
  readonly to: number;
  readonly patch: Json;
  readonly changes: ReadonlyArray<{ readonly version: number }>;
}
export type SeenFault = ModelFault & { readonly matched: number; readonly fired: number };
export type Turn = { readonly set: string } | { readonly advance: number } | { readonly freeze: true };

export class Driver {
  /** `fetch`: what sends the requests of the course. */
  constructor(
    readonly fake: Fake,
    readonly fetch: (url: string, init: RequestInit) => Promise<Response> = fake.fetch,
  ) {}

  /** Sends a request unchanged. `named`: the sandbox for the header. */
  async ask(request: ModelRequest, named?: string): Promise<Came> {
    const { method, url, credentials, contentType, body, readings } = request;
    const headers: Record<string, string> = {
      ...(named !== undefined && { 'X-Fake-Sandbox': named }),
      ...(readings !== undefined && { 'X-Fake-Reading': readings }),
      ...((body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8') && {
        'Content-Type': contentType,
      }),
    };
    if (credentials.kind === 'basic' || credentials.kind === 'bearer')
      headers.Authorization = authorization(credentials);
    if (credentials.kind === 'unreadable') headers.Authorization = 'Digest no';
    const bytes =
      body.kind === 'not-utf8' ? Buffer.from([0x22, 0xff, 0x22]) : 'text' in body ? Buffer.from(body.text) : null;
    const response = await this.fetch(`${this.fake.url}${url}`, { method, headers, body: bytes }).catch(brokenOff);
    if (response === undefined) return 'no response';
    const text = await response.text().catch(brokenOff);
    if (text === undefined) return 'cut short';
    return { status: response.status, ...(text !== '' && { body: parsed(text) }) };
  }

  /** Creates a sandbox that does not exist; without a name, the fake chooses one. */
  async create(name: string | undefined, making: Making): Promise<OrRefused<string>> {
    const response = await this.fetch(`${this.fake.url}/_fake/v1/sandboxes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, ...making }),
    });
    if (response.status >= 500) throw new Error(`creating ${name} is answered with ${response.status}`);
    return response.status >= 400 ? REFUSED : ((await response.json()) as SeenSnapshot).name;
  }

  async replace(name: string, making: Making): Promise<void> {
    await this.fake.sandbox(name, making as SandboxOptions).version(); // they are readings of the ledger
  }

  drop(name: string): Promise<void> {
    return this.#of(name).drop();
  }

  reset(name: string): Promise<void> {
    return this.#of(name).reset();
  }

  fork(name: string, as: string | undefined, at: number | undefined): Promise<OrRefused<string>> {
    const forking = this.#of(name).fork(as, at === undefined ? {} : { at });
    return orRefused(forking.then(fork => fork.name));
  }

  keep(name: string, as: string | undefined, replace: boolean): Promise<OrRefused<SeenSnapshot>> {
    return orRefused(this.#of(name).snapshot(as, { replace }));
  }

  snapshots(name: string): Promise<readonly SeenSnapshot[]> {
    return this.#of(name).snapshots();
  }

  restore(name: string, kept: string): Promise<unknown> {
    return orRefused(this.#of(name).restore(kept));
  }

  dropSnapshot(name: string, kept: string): Promise<unknown> {
    return orRefused(this.#of(name).dropSnapshot(kept));
  }

  rewind(name: string, to: number): Promise<unknown> {
    return orRefused(this.#of(name).rewind(to));
  }

  diff(name: string, from: number, to: number): Promise<OrRefused<SeenDifference>> {
    return orRefused(this.#of(name).diff(from, to)) as Promise<OrRefused<SeenDifference>>; // a patch is JSON
  }

  world(name: string, at?: number): Promise<OrRefused<Json>> {
    const world = this.#of(name).world(at === undefined ? {} : { at });
    return orRefused(world) as Promise<OrRefused<unknown>> as Promise<OrRefused<Json>>; // a world is JSON
  }

  patch(name: string, patch: Json): Promise<unknown> {
    return orRefused(this.#of(name).patch(patch));
  }

  readings(name: string): Promise<OrRefused<ModelReadings>> {
    return orRefused(this.#of(name).readings.get());
  }

  choose(name: string, readings: ModelReadings): Promise<unknown> {
    return orRefused(this.#of(name).readings.set(readings as SomeReadings)); // an invalid value is refused
  }

  arm(name: string, faults: readonly ModelFault[]): Promise<unknown> {
    const sandbox = this.#of(name);
    return faults.length === 0 ? sandbox.faults.clear() : orRefused(sandbox.faults.set(faults as readonly Fault[])); // an invalid value is refused
  }

  /** Releases what a hold of this name holds. Returns how many responses waited. */
  release(name: string, hold: string): Promise<number> {
    return this.#of(name).faults.release(hold);
  }

  faults(name: string): Promise<readonly SeenFault[]> {
    return this.#of(name).faults.list() as Promise<readonly SeenFault[]>; // those that the course has armed
  }

  turn(name: string, order: Turn): Promise<unknown> {
    const { clock } = this.#of(name);
    return 'set' in order ? clock.set(order.set) : 'advance' in order ? clock.advance(order.advance) : clock.freeze();
  }

  now(name: string): Promise<string> {
    return this.#of(name).clock.now();
  }

  version(name: string): Promise<number> {
    return this.#of(name).version();
  }

  journal(name: string): Promise<readonly SeenEntry[]> {
    return this.#of(name).journal() as Promise<readonly SeenEntry[]>; // it leaves nothing out by `undefined`
  }

  clear(name: string): Promise<void> {
    return this.#of(name).clearJournal();
  }

  /** Whether an operation was called this often. */
  async verify(name: string, operation: string, exactly: number): Promise<boolean> {
    const wish = { operation, times: { exactly } } as Parameters<Sandbox['verify']>[0]; // an operation of the ledger
    return (await orRefused(this.#of(name).verify(wish))) !== REFUSED;
  }

  explain(name: string, entry: number, readings?: ModelReadings): Promise<OrRefused<SeenExplanation>> {
    return orRefused(this.#of(name).explain(entry, readings as SomeReadings)); // an invalid value is refused
  }

  async leaks(): Promise<number> {
    return (await this.fake.leaks()).count;
  }

  async names(): Promise<readonly string[]> {
    return (await this.fake.sandboxes()).map(({ name }) => name);
  }

  #of(name: string): Sandbox {
    return this.fake.sandbox(name);
  }
}

/** The result; a refusal is 4xx. */
async function orRefused<T>(result: Promise<T>): Promise<OrRefused<T>> {
  return result.catch((error: unknown) => {
    if (error instanceof FakeError && (error.status ?? 400) < 500) return REFUSED;
    throw error;
  });
}

/** A closed connection is a part of some courses; any other error is not. */
function brokenOff(error: unknown): undefined {
  if (error instanceof TypeError) return undefined;
  throw error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the model expects JSON, so this is reported as a difference
  }
}
