// Performs the steps of a course on a fake, over the control API: through a socket, or through the `fetch` of a fake without one.
// library-driver.ts does the same through the library. The results are compared elsewhere.
import { authorization } from '../../../server/derive/sending/call.js';
import type { ModelRequest } from '../effects.js';
import type { Came, ModelFault } from '../model.js';
import type { Json } from '../model-world.js';
import type { ModelReadings } from '../readings.js';

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

interface RawResponse {
  readonly status: number;
  readonly body: unknown;
}

export class ControlDriver {
  /** `url`: the base of the fake, without a slash at its end. */
  constructor(
    readonly url: string,
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>,
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
    if (credentials.kind === 'basic') headers.Authorization = authorization(credentials);
    if (credentials.kind === 'bearer') headers.Authorization = authorization(credentials);
    if (credentials.kind === 'unreadable') headers.Authorization = 'Digest no';
    const bytes =
      body.kind === 'not-utf8' ? Buffer.from([0x22, 0xff, 0x22]) : 'text' in body ? Buffer.from(body.text) : null;
    const response = await this.fetch(`${this.url}${url}`, { method, headers, body: bytes }).catch(brokenOff);
    if (response === undefined) return 'no response';
    const text = await response.text().catch(brokenOff);
    if (text === undefined) return 'cut short';
    return { status: response.status, ...(text !== '' && { body: parsed(text) }) };
  }

  async create(name: string | undefined, making: Making): Promise<OrRefused<string>> {
    const made = await this.control('POST', '/sandboxes', { ...(name !== undefined && { name }), ...making });
    return made === REFUSED ? made : (made as SeenSnapshot).name;
  }

  replace(name: string, making: Making): Promise<unknown> {
    return this.in(name, 'PUT', '', making);
  }

  drop(name: string): Promise<unknown> {
    return this.in(name, 'DELETE', '');
  }

  reset(name: string): Promise<unknown> {
    return this.in(name, 'POST', '/reset');
  }

  async fork(name: string, as: string | undefined, at: number | undefined): Promise<OrRefused<string>> {
    const made = await this.in(name, 'POST', '/fork', { name: as, at });
    return made === REFUSED ? made : (made as SeenSnapshot).name;
  }

  async keep(name: string, as: string | undefined, replace: boolean): Promise<OrRefused<SeenSnapshot>> {
    return (await this.in(name, 'POST', '/snapshots', { name: as, replace })) as OrRefused<SeenSnapshot>;
  }

  async snapshots(name: string): Promise<readonly SeenSnapshot[]> {
    return ((await this.in(name, 'GET', '/snapshots')) as { snapshots: readonly SeenSnapshot[] }).snapshots;
  }

  restore(name: string, kept: string): Promise<unknown> {
    return this.in(name, 'POST', `/snapshots/${kept}/restore`);
  }

  dropSnapshot(name: string, kept: string): Promise<unknown> {
    return this.in(name, 'DELETE', `/snapshots/${kept}`);
  }

  rewind(name: string, to: number): Promise<unknown> {
    return this.in(name, 'POST', '/rewind', { to });
  }

  async diff(name: string, from: number, to: number): Promise<OrRefused<SeenDifference>> {
    return (await this.in(name, 'GET', `/diff?from=${from}&to=${to}`)) as OrRefused<SeenDifference>;
  }

  async world(name: string, at?: number): Promise<OrRefused<Json>> {
    return (await this.in(name, 'GET', `/world${at === undefined ? '' : `?at=${at}`}`)) as OrRefused<Json>;
  }

  patch(name: string, patch: Json): Promise<unknown> {
    return this.in(name, 'PATCH', '/world', patch);
  }

  async readings(name: string): Promise<OrRefused<ModelReadings>> {
    return (await this.in(name, 'GET', '/readings')) as OrRefused<ModelReadings>;
  }

  choose(name: string, readings: ModelReadings): Promise<unknown> {
    return this.in(name, 'PUT', '/readings', readings);
  }

  arm(name: string, faults: readonly ModelFault[]): Promise<unknown> {
    return faults.length === 0 ? this.in(name, 'DELETE', '/faults') : this.in(name, 'PUT', '/faults', { faults });
  }

  /** Releases what a hold of this name holds. Returns how many responses waited. */
  async release(name: string, hold: string): Promise<number> {
    const { released } = (await this.in(name, 'POST', '/faults/release', { hold })) as { released: number };
    return released;
  }

  async faults(name: string): Promise<readonly SeenFault[]> {
    return ((await this.in(name, 'GET', '/faults')) as { faults: readonly SeenFault[] }).faults;
  }

  turn(name: string, order: Turn): Promise<unknown> {
    return this.in(name, 'PUT', '/clock', order);
  }

  async now(name: string): Promise<string> {
    return ((await this.in(name, 'GET', '/clock')) as { now: string }).now;
  }

  async version(name: string): Promise<number> {
    return ((await this.in(name, 'GET', '')) as { version: number }).version;
  }

  async journal(name: string): Promise<readonly SeenEntry[]> {
    return ((await this.in(name, 'GET', '/journal')) as { entries: readonly SeenEntry[] }).entries;
  }

  clear(name: string): Promise<unknown> {
    return this.in(name, 'DELETE', '/journal');
  }

  /** Whether an operation was called this often. */
  async verify(name: string, operation: string, exactly: number): Promise<boolean> {
    const wish = { operation, times: { exactly } };
    const { status } = await this.exchange('POST', `/sandboxes/${name}/journal/verify`, wish);
    if (status !== 200 && status !== 417) throw new Error(`verify is answered with ${status}`);
    return status === 200;
  }

  async explain(name: string, entry: number, readings?: ModelReadings): Promise<OrRefused<SeenExplanation>> {
    return (await this.in(name, 'POST', '/explain', { entry, readings })) as OrRefused<SeenExplanation>;
  }

  async leaks(): Promise<number> {
    const journal = (await this.in('default', 'GET', '/journal')) as { leaks: { count: number } };
    return journal.leaks.count;
  }

  async names(): Promise<readonly string[]> {
    const { sandboxes } = (await this.control('GET', '/sandboxes')) as { sandboxes: readonly SeenSnapshot[] };
    return sandboxes.map(({ name }) => name);
  }

  protected in(name: string, method: string, path: string, body?: object): Promise<unknown> {
    return this.control(method, `/sandboxes/${name}${path}`, body);
  }

  /** The result; a refusal is 4xx. */
  protected async control(method: string, path: string, body?: object): Promise<unknown> {
    const answered = await this.exchange(method, path, body);
    if (answered.status >= 500) throw new Error(`${method} ${path} is answered with ${answered.status}`);
    return answered.status >= 400 ? REFUSED : answered.body;
  }

  private async exchange(method: string, path: string, body?: object): Promise<RawResponse> {
    const init =
      body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const response = await this.fetch(`${this.url}/_fake/v1${path}`, { method, ...init });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
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
