// A fake that is served somewhere as the target of a player: a sandbox of it, set and seen through its control API.
// The operations are asked as anyone asks them.
import { formOf } from '../domain/form.js';
import type { CollectionName } from '../domain/form-shapes.js';
import { isObject, patchBetween, type WorldPatch } from '../domain/patch.js';
import type { World } from '../domain/world.js';
import type { Fault } from '../engine/faults/fault.js';
import type { JournalEntry } from '../engine/journal/journal-entry.js';
import type { SomeReadings } from '../operations/gaps.js';
import { type Connection, connection } from '../remote/http-connection.js';
import type { PatchFlaw } from '../scenario/checks/world-patch.js';
import type { Loaded } from '../scenario/load/story.js';
import { bodyOf } from '../scenario/play/judging.js';
import { type Backstage, type Insight, type Received, type Target, Unreachable } from '../scenario/play/target.js';

/** What the control API says of a fake. */
interface Health {
  readonly status: 'ok';
  readonly version: string;
}

/**
 * A fake at the root of a host that lets itself be controlled; `undefined` where there is none. Rejects with `Unreachable` where nobody
 * answers, and where the fake takes a token other than the one given.
 */
export async function servedFake(
  origin: string,
  sandbox: { readonly name: string; readonly isKept: boolean },
  token?: string,
): Promise<Target | undefined> {
  const wire = connection(origin);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  try {
    if (await isControlled(wire, headers, origin)) return targetAt(origin, wire, sandbox, headers);
    wire.close();
    return undefined;
  } catch (error) {
    wire.close();
    throw error;
  }
}

export async function isControlled(wire: Connection, headers: Headers, origin: string): Promise<boolean> {
  const health = await wire.send({ method: 'GET', path: '/_fake/health', headers: {} });
  if (health.status !== 200 || !isHealth(bodyOf(health))) return false;
  const answer = await wire.send({ method: 'GET', path: '/_fake/v1/sandboxes/default', headers });
  const isOfControl = answer.headers['content-type'] === 'application/problem+json';
  if (answer.status !== 401) return answer.status === 200 || (answer.status === 404 && isOfControl); // it may have been dropped
  throw new Unreachable(
    `the control API of ${origin} ${headers.Authorization === undefined ? 'takes a token, and none is given' : 'does not take this token'}: the fake printed it when it started, unless it was given with --control-token`,
  );
}

type Headers = Readonly<Record<string, string>>;

function targetAt(
  origin: string,
  wire: Connection,
  sandbox: { readonly name: string; readonly isKept: boolean },
  headers: Headers,
): Target {
  const backstage = new Outside(wire, sandbox, headers);
  const prefix = sandbox.name === 'default' ? '' : `/~${sandbox.name}`;
  return {
    url: `${origin}${prefix}`,
    context: '',
    send: request => {
      backstage.forget();
      return wire.send({ ...request, path: `${prefix}${request.path}` });
    },
    backstage,
    close: async () => {
      await backstage.end();
      wire.close();
    },
  };
}

function isLarge({ users, pages, filters, dashboards }: World): boolean {
  return users.size + pages.size + filters.size + dashboards.size > MOST_RECORDS;
}

function isHealth(body: unknown): body is Health {
  return isObject(body) && body.status === 'ok' && typeof body.version === 'string';
}

/** A world that takes more bytes is not carried over, but named; so is one of so many records, which would take more. */
const MOST_BYTES = 1_000_000;
const MOST_RECORDS = 10_000;

class Outside implements Backstage {
  /** The id of the last journal entry that has been seen. */
  #seen = 0;
  /** What the world was when it was last read. */
  #world: Readonly<Record<string, unknown>> | undefined;
  #exists = false;

  constructor(
    private readonly wire: Connection,
    private readonly sandbox: { readonly name: string; readonly isKept: boolean },
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async begin(loaded: Loaded, readings: SomeReadings): Promise<SomeReadings> {
    const { world, clock, faults = [], scenario, readings: own } = loaded.origin;
    const from = { readings: { ...own, ...readings }, ...(clock !== undefined && { clock }) };
    if (isLarge(world)) await this.#make({ scenario, ...from });
    else {
      await this.#make({ scenario: 'empty', ...from });
      const patch = patchBetween(await this.#control('GET', '/world'), formOf(world));
      if (Buffer.byteLength(JSON.stringify(patch)) > MOST_BYTES) await this.#make({ scenario, ...from });
      else await this.#control('PATCH', '/world', patch);
    }
    if (faults.length > 0) await this.#control('PUT', '/faults', { faults });
    this.#seen = 0;
    this.forget();
    return (await this.#control('GET', '/readings')) as SomeReadings; // a reading for each gap
  }

  /** What the world was is no longer known. */
  forget(): void {
    this.#world = undefined;
  }

  async arm(faults: readonly Fault[]): Promise<undefined> {
    await this.#control('PUT', '/faults', { faults, append: true });
  }

  async patch(patch: WorldPatch): Promise<readonly PatchFlaw[]> {
    const answer = await this.#ask('PATCH', '/world', patch);
    this.forget();
    const body = bodyOf(answer);
    if (answer.status === 422 && isObject(body)) return body.problems as readonly PatchFlaw[]; // as the control API tells them
    this.#accepted('PATCH', '/world', answer);
    return [];
  }

  async record(name: CollectionName, key: string): Promise<unknown> {
    const records = (await this.#read())[name];
    return isObject(records) && Object.hasOwn(records, key) ? records[key] : undefined;
  }

  async part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return (await this.#read())[name];
  }

  async insight(): Promise<Insight | undefined> {
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

  async #make(origin: object): Promise<void> {
    await this.#control('PUT', '', origin);
    this.#exists = true;
  }

  async #read(): Promise<Readonly<Record<string, unknown>>> {
    this.#world ??= (await this.#control('GET', '/world')) as Readonly<Record<string, unknown>>; // a world is an object
    return this.#world;
  }

  async #control(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#accepted(method, path, await this.#ask(method, path, body));
  }

  #ask(method: string, path: string, body?: unknown): Promise<Received> {
    return this.wire.send({
      method,
      path: `/_fake/v1/sandboxes/${this.sandbox.name}${path}`,
      headers: { ...this.headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** What is answered; rejects where it is a refusal. */
  #accepted(method: string, path: string, answer: Received): unknown {
    if (answer.status < 300) return bodyOf(answer);
    throw new Unreachable(
      `the control API answers ${answer.status} to ${method} /sandboxes/${this.sandbox.name}${path}: ${detailOf(answer)}`,
    );
  }
}

function detailOf(answer: Received): string {
  const body = bodyOf(answer);
  return isObject(body) && typeof body.detail === 'string' ? body.detail : answer.text;
}
