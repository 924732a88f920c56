// A fake that is served somewhere as the target of a player: a sandbox of it, set and seen through its control API.
// The operations are asked as anyone asks them.
import type { Action } from '../../control/action.js';
import { settingFaults } from '../../control/actions/fault-actions.js';
import { readingJournal } from '../../control/actions/journal-actions.js';
import { type Creation, droppingSandbox, replacingSandbox } from '../../control/actions/sandbox-actions.js';
import { patchingWorld, readingReadings, readingWorld } from '../../control/actions/world-actions.js';
import { formOf } from '../../domain/form/form.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import { isObject, patchBetween, type WorldPatch } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { type Connection, connection } from '../../remote/target/http-connection.js';
import type { PatchFlaw } from '../../scenario/checks/world-patch.js';
import type { Loaded } from '../../scenario/load/story.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Insight, type SandboxControl, type Target, Unreachable } from '../../scenario/play/target.js';
import { pointerOf } from '../../scenario/yaml/problem.js';
import type { Input } from '../port/control-port.js';
import { FakeError } from '../fake-error.js';
import { HttpPort } from '../port/http-port.js';

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
    if (!(await isControlled(wire, headers, origin))) return undefined;
  } finally {
    wire.close();
  }
  return targetAt(origin, sandbox, token);
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
  sandbox: { readonly name: string; readonly isKept: boolean },
  token: string | undefined,
): Target {
  const port = new HttpPort(origin, token);
  const control = new RemoteControl(port, sandbox);
  const prefix = sandbox.name === 'default' ? '' : `/~${sandbox.name}`;
  return {
    url: `${origin}${prefix}`,
    context: '',
    send: request => port.ask({ ...request, path: `${prefix}${request.path}` }),
    control,
    close: async () => {
      await control.end();
      port.stop();
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

class RemoteControl implements SandboxControl {
  /** The id of the last journal entry that has been seen. */
  #seen = 0;
  #exists = false;

  constructor(
    private readonly port: HttpPort,
    private readonly sandbox: { readonly name: string; readonly isKept: boolean },
  ) {}

  async begin(loaded: Loaded, readings: SomeReadings): Promise<SomeReadings> {
    const { world, clock, faults = [], scenario, profile, readings: own } = loaded.origin;
    const from = {
      ...(profile !== undefined && { profile }),
      readings: { ...own, ...readings },
      ...(clock !== undefined && { clock }),
    };
    if (isLarge(world)) await this.#make({ scenario, ...from });
    else {
      await this.#make({ scenario: 'empty', ...from });
      const patch = patchBetween(await this.#invoke(readingWorld), formOf(world));
      if (Buffer.byteLength(JSON.stringify(patch)) > MOST_BYTES) await this.#make({ scenario, ...from });
      else await this.#invoke(patchingWorld, { body: patch });
    }
    if (faults.length > 0) await this.#invoke(settingFaults, { body: { faults } });
    this.#seen = 0;
    return this.#invoke(readingReadings);
  }

  async arm(faults: readonly Fault[]): Promise<undefined> {
    await this.#invoke(settingFaults, { body: { faults, append: true } });
  }

  async patch(patch: WorldPatch): Promise<readonly PatchFlaw[]> {
    try {
      await this.port.invoke(patchingWorld, { sandbox: this.sandbox.name, body: patch });
      return [];
    } catch (error) {
      if (error instanceof FakeError && error.status === 422)
        return error.problems.map(({ pointer = '', message }) => ({ pointer, message }));
      throw unreachable(error, patchingWorld, this.sandbox.name);
    }
  }

  record(name: CollectionName, key: string): Promise<unknown> {
    return this.#part(pointerOf([name, key]));
  }

  part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return this.#part(pointerOf([name]));
  }

  async insight(): Promise<Insight | undefined> {
    const { entries } = await this.#invoke(readingJournal, { query: { since: this.#seen } });
    const last = entries.at(-1);
    this.#seen = last?.id ?? this.#seen;
    return last;
  }

  async end(): Promise<void> {
    if (this.#exists && !this.sandbox.isKept) await this.#invoke(droppingSandbox);
    this.#exists = false;
  }

  async #make(body: Creation): Promise<void> {
    await this.#invoke(replacingSandbox, { body });
    this.#exists = true;
  }

  /** `undefined` where the world has nothing there. */
  async #part(part: string): Promise<unknown> {
    try {
      return await this.port.invoke(readingWorld, { sandbox: this.sandbox.name, query: { part } });
    } catch (error) {
      if (error instanceof FakeError && error.status === 404) return undefined;
      throw unreachable(error, readingWorld, this.sandbox.name);
    }
  }

  async #invoke<Output, Body>(action: Action<Output, Body>, input: Input<Body> = {}): Promise<Output> {
    try {
      return await this.port.invoke(action, { ...input, sandbox: this.sandbox.name });
    } catch (error) {
      throw unreachable(error, action, this.sandbox.name);
    }
  }
}

/** What keeps a player from going on: nobody answers, or the fake does not do what a play needs. */
function unreachable(error: unknown, { method, path }: Action, sandbox: string): unknown {
  if (!(error instanceof FakeError)) return error;
  if (error.cause instanceof Unreachable) return error.cause;
  const says = error.problems.map(({ message }) => message).join('; ');
  return new Unreachable(
    `the control API answers ${error.status} to ${method} ${path.replace('{s}', sandbox)}: ${says}`,
    { cause: error },
  );
}
