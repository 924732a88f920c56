// A fake that is served somewhere as the one that is verified: a sandbox of it, brought into states by its actions.
// Knows no pact file and no verifier.
import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { lengthOfBody } from '../../../server/derive/sending/sending.js';
import { mergedHeaders } from '../../../server/engine/request/headers.js';
import { FakeError, orUnreachable } from '../../../server/library/port/fake-error.js';
import { type Connection, connection } from '../../../server/library/port/http-connection.js';
import type { HttpPort } from '../../../server/library/port/http-port.js';
import { FakeSandbox } from '../../../server/library/sandbox/sandbox.js';
import { isGapId, isReading, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type RawResponse, Unreachable } from '../../../server/scenario/play/target.js';
import { sandboxOf, segmentsIn } from '../../target/sandbox-name.js';
import type { WantedState } from '../contract/contract.js';
import { setUp, tearDown } from './fake-states.js';
import type { Begun, Provider, RemoteTarget } from './provider.js';

export class FakeAt implements Provider {
  readonly place: string;
  readonly isRemote = true;
  readonly #base: string;
  /** For the requests of contracts. */
  readonly #wire: Connection;

  private constructor(
    private readonly target: RemoteTarget,
    private readonly port: HttpPort,
    private readonly sandbox: FakeSandbox,
    readonly readings: SomeReadings,
  ) {
    this.place = target.url;
    const context = segmentsIn(target.url).slice(sandboxOf(target.url) === undefined ? 0 : 1);
    this.#base = ['', `~${sandbox.name}`, ...context].join('/');
    this.#wire = connection(port.url, lengthOfBody);
  }

  /** Uses the sandbox that the URL names, or a new one, which is dropped at the end. */
  static async open(target: RemoteTarget, port: HttpPort): Promise<FakeAt> {
    const named = sandboxOf(target.url);
    const sandbox =
      named === undefined
        ? new FakeSandbox(port, `verify-${randomBytes(4).toString('hex')}`, { creation: {} })
        : new FakeSandbox(port, named);
    const { readings } = await orUnreachable(sandbox.describe());
    return new FakeAt(target, port, sandbox, knownAmong(readings));
  }

  begin(_: number, states: readonly WantedState[]): Promise<Begun> {
    return setUp(this.sandbox, states);
  }

  respond(_: number, request: HttpRequest): Promise<RawResponse> {
    const { path, headers } = request;
    return this.#wire.send({
      ...request,
      headers: mergedHeaders(headers, this.target.headers),
      path: `${this.#base}${path}`,
    });
  }

  finish(): Promise<void> {
    return tearDown(this.sandbox);
  }

  async close(): Promise<void> {
    const isKept = sandboxOf(this.target.url) !== undefined;
    try {
      if (!isKept) await orUnreachable(this.sandbox.drop());
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof FakeError)) throw error; // a fake that has ended has no sandboxes left
    } finally {
      this.port.stop();
      this.#wire.close();
    }
  }
}

/** The readings that a fake reports for a sandbox, besides the defaults; only those that this version knows. */
function knownAmong(readings: object): SomeReadings {
  const known = Object.entries(readings).filter(([gap, name]) => isGapId(gap) && isReading(gap, String(name)));
  return Object.fromEntries(known) as SomeReadings; // each pair has been checked
}
