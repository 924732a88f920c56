// A fake that is served somewhere as the target of a player: a sandbox of it, set and seen through its control API.
// The operations are asked as anyone asks them.
import { formOf } from '../domain/form.js';
import type { CollectionName } from '../domain/form-shapes.js';
import { isObject, patchBetween } from '../domain/patch.js';
import type { Fault } from '../engine/fault.js';
import type { JournalEntry } from '../engine/journal.js';
import type { SomeReadings } from '../operations/gaps.js';
import { bodyOf } from '../scenario/play/judging.js';
import { type Backstage, type Insight, type Target, Unreachable } from '../scenario/play/target.js';
import type { Loaded } from '../scenario/story.js';
import { type Connection, connection } from './http.js';

/** What the control API says of a fake. */
interface Health {
  readonly status: 'ok';
  readonly version: string;
}

/** A fake at the root of a host that lets itself be controlled; `undefined` where there is none. Rejects with `Unreachable` where nobody answers. */
export async function servedFake(
  origin: string,
  sandbox: { readonly name: string; readonly isKept: boolean },
  token?: string,
): Promise<Target | undefined> {
  const wire = connection(origin);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const health = await wire.send({ method: 'GET', path: '/_fake/health', headers });
  const control = await wire.send({ method: 'GET', path: '/_fake/v1/scenarios', headers });
  if (health.status !== 200 || !isHealth(bodyOf(health)) || control.status !== 200) {
    wire.close();
    return undefined;
  }
  const backstage = new Outside(wire, sandbox, headers);
  const prefix = sandbox.name === 'default' ? '' : `/~${sandbox.name}`;
  return {
    url: `${origin}${prefix}`,
    context: '',
    send: request => wire.send({ ...request, path: `${prefix}${request.path}` }),
    backstage,
    close: async () => {
      await backstage.end();
      wire.close();
    },
  };
}

function isHealth(body: unknown): body is Health {
  return isObject(body) && body.status === 'ok' && typeof body.version === 'string';
}

/** A world that takes more bytes is not carried over, but named. */
const MOST_BYTES = 1_000_000;

class Outside implements Backstage {
  /** The id of the last journal entry that has been seen. */
  #seen = 0;
  /** What the world was when it was last read; forgotten with each request. */
  #world: Readonly<Record<string, unknown>> | undefined;
  #exists = false;

  constructor(
    private readonly wire: Connection,
    private readonly sandbox: { readonly name: string; readonly isKept: boolean },
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async begin(loaded: Loaded, readings: SomeReadings): Promise<void> {
    const { world, clock, faults = [], scenario, readings: own } = loaded.origin;
    const from = { readings: { ...own, ...readings }, ...(clock !== undefined && { clock }) };
    await this.#control('PUT', '', { scenario: 'empty', ...from });
    this.#exists = true;
    const patch = patchBetween(await this.#control('GET', '/world'), formOf(world));
    if (JSON.stringify(patch).length > MOST_BYTES) await this.#control('PUT', '', { scenario, ...from });
    else await this.#control('PATCH', '/world', patch);
    if (faults.length > 0) await this.#control('PUT', '/faults', { faults });
    this.#seen = 0;
    this.#world = undefined;
  }

  async arm(faults: readonly Fault[]): Promise<void> {
    const { faults: before } = (await this.#control('GET', '/faults')) as { faults: readonly Fault[] };
    await this.#control('PUT', '/faults', { faults: [...before, ...faults] });
  }

  async record(name: CollectionName, key: string): Promise<unknown> {
    const records = (await this.#read())[name];
    return isObject(records) && Object.hasOwn(records, key) ? records[key] : undefined;
  }

  async part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return (await this.#read())[name];
  }

  async insight(): Promise<Insight | undefined> {
    this.#world = undefined;
    const { entries } = (await this.#control('GET', `/journal?since=${this.#seen}`)) as {
      entries: readonly JournalEntry[];
    };
    const last = entries.at(-1);
    this.#seen = last?.id ?? this.#seen;
    return last;
  }

  async end(): Promise<void> {
    if (this.#exists && !this.sandbox.isKept) await this.#control('DELETE', '');
    this.#exists = false;
  }

  async #read(): Promise<Readonly<Record<string, unknown>>> {
    this.#world ??= (await this.#control('GET', '/world')) as Readonly<Record<string, unknown>>; // a world is an object
    return this.#world;
  }

  async #control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.wire.send({
      method,
      path: `/_fake/v1/sandboxes/${this.sandbox.name}${path}`,
      headers: { ...this.headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status < 300) return bodyOf(answer);
    throw new Unreachable(
      `the control API answers ${answer.status} to ${method} ${path || 'the sandbox'}: ${answer.text}`,
    );
  }
}
