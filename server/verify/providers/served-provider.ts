// A fake that is served somewhere as the one that is verified: a sandbox of it, brought into states through its control API.
// Knows no pact file and no verifier.
import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../../derive/sending/call.js';
import { isObject } from '../../domain/form/patch.js';
import { laidOver } from '../../engine/request/headers.js';
import { isGapId, isReading, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Connection } from '../../remote/target/http-connection.js';
import { sandboxOf, segmentsOf } from '../../remote/target/sandbox-name.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Answered, Unreachable } from '../../scenario/play/target.js';
import type { WantedState } from '../contract.js';
import type { Begun, Provider, RemoteTarget } from './provider.js';
import { setUp, tearDown } from './states-over-http.js';

/** The headers that the control API of a fake asks for. */
export function controlOf({ token }: RemoteTarget): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

export class FakeAt implements Provider {
  readonly place: string;
  readonly #control: HttpRequest['headers'];
  readonly #base: string;
  readonly #states: string;

  private constructor(
    private readonly target: RemoteTarget,
    private readonly wire: Connection,
    private readonly sandbox: string,
    readonly readings: SomeReadings,
  ) {
    this.place = target.url;
    this.#control = controlOf(target);
    const context = segmentsOf(target.url).slice(sandboxOf(target.url) === undefined ? 0 : 1);
    this.#base = ['', `~${sandbox}`, ...context].join('/');
    this.#states = `/~${sandbox}/_fake/v1/provider-states`;
  }

  /** In the sandbox that the URL names, or in a new one, which goes at the end. */
  static async open(target: RemoteTarget, wire: Connection): Promise<FakeAt> {
    const named = sandboxOf(target.url);
    const sandbox = named ?? `verify-${randomBytes(4).toString('hex')}`;
    const headers = controlOf(target);
    const path = pathOf(sandbox);
    const described = await wire.send(
      named === undefined
        ? { method: 'PUT', path, headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' }
        : { method: 'GET', path, headers },
    );
    return new FakeAt(target, wire, sandbox, readingsIn(bodyOf(described)));
  }

  begin(_: number, states: readonly WantedState[]): Promise<Begun> {
    return setUp(this.wire, this.#states, this.#control, states);
  }

  answer(_: number, request: HttpRequest): Promise<Answered> {
    const { path, headers } = request;
    return this.wire.send({
      ...request,
      headers: laidOver(headers, this.target.headers),
      path: `${this.#base}${path}`,
    });
  }

  finish(_: number, states: readonly WantedState[]): Promise<void> {
    return tearDown(this.wire, this.#states, this.#control, states);
  }

  async close(): Promise<void> {
    const isKept = sandboxOf(this.target.url) !== undefined;
    try {
      if (!isKept) await this.wire.send({ method: 'DELETE', path: pathOf(this.sandbox), headers: this.#control });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error; // a fake that has gone has taken its sandboxes along
    } finally {
      this.wire.close();
    }
  }

  notices(): readonly string[] {
    return [];
  }
}

function pathOf(sandbox: string): string {
  return `/_fake/v1/sandboxes/${sandbox}`;
}

/** Those that a fake says count in a sandbox, besides the defaults; of a newer fake those that are known here. */
function readingsIn(description: unknown): SomeReadings {
  if (!isObject(description) || !isObject(description.readings)) return {};
  const known = Object.entries(description.readings).filter(
    ([gap, name]) => isGapId(gap) && isReading(gap, String(name)),
  );
  return Object.fromEntries(known) as SomeReadings; // each pair has been checked
}
