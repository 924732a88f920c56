// A fake that is served somewhere as the one that is verified: a sandbox of it, brought into states by its actions.
// Knows no pact file and no verifier.
import { randomBytes } from 'node:crypto';
import {
  type Creation,
  describingSandbox,
  droppingSandbox,
  replacingSandbox,
} from '../../control/actions/sandbox-actions.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import { laidOver } from '../../engine/request/headers.js';
import { FakeError, orUnreachable } from '../../library/fake-error.js';
import { HttpPort } from '../../library/port/http-port.js';
import { isGapId, isReading, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Connection } from '../../remote/target/http-connection.js';
import { sandboxOf, segmentsOf } from '../../remote/target/sandbox-name.js';
import { type Answered, Unreachable } from '../../scenario/play/target.js';
import type { WantedState } from '../contract.js';
import { setUp, tearDown } from './fake-states.js';
import type { Begun, Provider, RemoteTarget } from './provider.js';

export class FakeAt implements Provider {
  readonly place: string;
  readonly #base: string;

  private constructor(
    private readonly target: RemoteTarget,
    private readonly port: HttpPort,
    /** For the requests of contracts. */
    private readonly wire: Connection,
    private readonly sandbox: string,
    readonly readings: SomeReadings,
  ) {
    this.place = target.url;
    const context = segmentsOf(target.url).slice(sandboxOf(target.url) === undefined ? 0 : 1);
    this.#base = ['', `~${sandbox}`, ...context].join('/');
  }

  /** In the sandbox that the URL names, or in a new one, which goes at the end. */
  static async open(target: RemoteTarget, wire: Connection): Promise<FakeAt> {
    const named = sandboxOf(target.url);
    const sandbox = named ?? `verify-${randomBytes(4).toString('hex')}`;
    const port = new HttpPort(new URL(target.url).origin, target.token);
    const { readings } = await orUnreachable(
      named === undefined
        ? port.invoke(replacingSandbox, { sandbox, body: {} satisfies Creation })
        : port.invoke(describingSandbox, { sandbox }),
    ).catch(noneYet);
    return new FakeAt(target, port, wire, sandbox, knownAmong(readings));
  }

  begin(_: number, states: readonly WantedState[]): Promise<Begun> {
    return setUp(this.port, this.sandbox, states);
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
    return tearDown(this.port, this.sandbox, states);
  }

  async close(): Promise<void> {
    const isKept = sandboxOf(this.target.url) !== undefined;
    try {
      if (!isKept) await orUnreachable(this.port.invoke(droppingSandbox, { sandbox: this.sandbox }));
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof FakeError)) throw error; // a fake that has gone has taken its sandboxes along
    } finally {
      this.port.stop();
      this.wire.close();
    }
  }

  notices(): readonly string[] {
    return [];
  }
}

/** A sandbox that nobody has made yet has the readings of the fake, which it does not tell. */
function noneYet(error: unknown): { readonly readings: object } {
  if (error instanceof FakeError && error.status === 404) return { readings: {} };
  throw error;
}

/** Those that a fake says count in a sandbox, besides the defaults; of a newer fake those that are known here. */
function knownAmong(readings: object): SomeReadings {
  const known = Object.entries(readings).filter(([gap, name]) => isGapId(gap) && isReading(gap, String(name)));
  return Object.fromEntries(known) as SomeReadings; // each pair has been checked
}
