// The running instance as the attacks see it: how to ask it, what it has answered so far, and the sandbox that is theirs.
// Knows no attack, and judges nothing.
import { Unreachable } from '../scenario/play/target.js';
import type { Answer } from './answers.js';
import { shownAnswer, shownBytes } from './escaped-bytes.js';
import type { Line } from './line.js';
import { isBug, type Trial } from './trial.js';
import type { Wire } from './wire.js';

/** Of what was sent, so much is kept to be told apart from what the server says of its own. */
const MOST_SENT = 16 * 1024;
const MOST_KEPT = 2_000;
/** Characters of an answer. */
const MOST_NOTED = 64 * 1024;
/** No name of a sandbox: where there is no control API, what is meant for it leaves nothing in a journal. */
export const NOWHERE = ['X-Fake-Sandbox', '~'] as const;

const CALLER = ['Authorization', `Basic ${Buffer.from('doctor:doctor').toString('base64')}`] as const;

export interface AttackRequest {
  readonly method?: string;
  readonly path: string;
  /** In this order, as they are; a Host stands before them unless there is one among them. */
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  /** A JSON value. */
  readonly json?: unknown;
  /** The body as it is. */
  readonly body?: string | Buffer;
}

/** What came of a request. */
export interface Exchange {
  /** What was sent, readable. */
  readonly sent: string;
  /** Absent: there was none. */
  readonly answer?: Answer;
  /** Where there was no answer: whether the connection was closed, or nothing came in time. */
  readonly isClosed: boolean;
}

export interface InstanceParts {
  readonly url: URL;
  readonly wire: Wire;
  /** The token of the control API that was given. */
  readonly token?: string;
  /** The sandbox of the attacks; absent where the control API is off, or takes a token that was not given. */
  readonly sandbox?: string;
  /** Why there is no sandbox. */
  readonly why: string;
  /** Milliseconds that an answer may take. */
  readonly answerTime: number;
  /** Milliseconds that slow connections are waited for. */
  readonly patience: number;
  /** How many connections the user expects to be too many; absent where that was not said. */
  readonly tooMany?: number;
  /** Addresses of this machine that are not loopback. */
  readonly addresses: readonly string[];
}

export class Instance {
  /** What was answered, with what had been asked: the latest. */
  readonly answered: Array<{ readonly raw: string; readonly sent: string; readonly answer: Answer }> = [];

  constructor(readonly parts: InstanceParts) {}

  get host(): string {
    return this.parts.url.host;
  }

  /** A path within the own sandbox. */
  own(path: string): string {
    return `/~${this.parts.sandbox}${path}`;
  }

  /** A path of the control API about the own sandbox. */
  ownControl(path: string): string {
    return `/_fake/v1/sandboxes/${this.parts.sandbox}${path}`;
  }

  /** What opens the control API. */
  get pass(): ReadonlyArray<readonly [string, string]> {
    return this.parts.token === undefined ? [] : [['Authorization', `Bearer ${this.parts.token}`]];
  }

  /** What opens a path: the control API takes the token, an operation the user that `admit` makes. */
  credentialsFor(path: string): ReadonlyArray<readonly [string, string]> {
    return path.includes('/_fake/') ? this.pass : [CALLER];
  }

  /** Makes a user of the own sandbox who may do everything there; whoever resets the sandbox takes it away. */
  async admit(): Promise<void> {
    const world = { users: { doctor: { admin: true } }, licence: { ppf: 'valid' } };
    await this.control('PATCH', this.ownControl('/world'), world);
  }

  /** Asks once over a connection of its own. */
  async ask(asked: AttackRequest, address?: string): Promise<Exchange> {
    const line = await this.parts.wire.open(address);
    const head = this.head(asked, [['Connection', 'close']]);
    const body = bodyOf(asked);
    line.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    return this.#finished(line, `${head}${body.subarray(0, MOST_SENT).toString('latin1')}`, shownRequest(asked, this));
  }

  /** Asks the control API, with the pass. */
  control(method: string, path: string, json?: unknown): Promise<Exchange> {
    return this.ask({ method, path, headers: this.pass, ...(json !== undefined && { json }) });
  }

  /** Sends bytes as they are over a connection of their own and waits for one answer. */
  async send(bytes: string): Promise<Exchange> {
    const line = await this.parts.wire.open();
    line.write(bytes);
    return this.#finished(line, bytes, this.shown(bytes));
  }

  /** The same without TLS. */
  async sendPlain(bytes: string): Promise<Exchange> {
    const line = await this.parts.wire.openPlain();
    line.write(bytes);
    return this.#finished(line, bytes, this.shown(bytes));
  }

  /** The line and the headers of a request. */
  head(
    { method = 'GET', path, headers = [], json, body }: AttackRequest,
    further: AttackRequest['headers'] = [],
  ): string {
    const hasHost = headers.some(([name]) => /^host$/i.test(name));
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    const length = bodyOf({ path, json, ...(body !== undefined && { body }) }).length;
    const isSized = names.has('transfer-encoding') || names.has('content-length') || (method === 'GET' && length === 0);
    const lines = [
      ...(hasHost ? [] : [['Host', this.host] as const]),
      ...headers,
      ...(path.startsWith('/_fake/') && !names.has('x-fake-sandbox') ? [NOWHERE] : []),
      ...(json !== undefined && !names.has('content-type') ? [['Content-Type', 'application/json'] as const] : []),
      ...(isSized ? [] : [['Content-Length', String(length)] as const]),
      ...further,
    ];
    return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  /** Bytes for people, without the token. */
  shown(bytes: string): string {
    const { token } = this.parts;
    return shownBytes(bytes, token === undefined ? [] : [token]);
  }

  shownAnswer(answer: Answer): string {
    const { token } = this.parts;
    return shownAnswer(answer, token === undefined ? [] : [token]);
  }

  /** What an exchange says: open where its answer is. Rejects where nothing came in time. */
  trial({ sent, answer, isClosed }: Exchange, isOpen: (answer: Answer) => boolean): Trial {
    if (answer !== undefined)
      return { sent, seen: this.shownAnswer(answer), outcome: String(answer.status), isOpen: isOpen(answer) };
    if (!isClosed) throw new Unreachable(`there was no answer within ${this.parts.answerTime / 1000} s to ${sent}`);
    return { sent, seen: 'the connection was closed without an answer', outcome: 'closed', isOpen: false };
  }

  /** The same where silence and a connection that breaks are what the attack is after. */
  survived({ sent, answer, isClosed }: Exchange): Trial {
    if (answer !== undefined && !isBug(answer.status))
      return { sent, seen: this.shownAnswer(answer), outcome: String(answer.status), isOpen: false };
    const silent = `there was no answer within ${this.parts.answerTime / 1000} s`;
    const gone = isClosed ? 'the connection was closed without an answer' : silent;
    const outcome = answer === undefined ? (isClosed ? 'closed' : 'no answer') : String(answer.status);
    return { sent, seen: answer === undefined ? gone : this.shownAnswer(answer), outcome, isOpen: true };
  }

  /** Keeps an answer for those who judge all of them. */
  note(raw: string, sent: string, answer: Answer): void {
    this.answered.push({
      raw: raw.slice(0, MOST_SENT),
      sent,
      answer: { ...answer, text: answer.text.slice(0, MOST_NOTED) },
    });
    if (this.answered.length > MOST_KEPT) this.answered.shift();
  }

  async #finished(line: Line, raw: string, sent: string): Promise<Exchange> {
    const [answer] = await line.answered(1, this.parts.answerTime);
    const { isClosed } = line;
    line.end();
    if (answer === undefined) return { sent, isClosed };
    this.note(raw, sent, answer);
    return { sent, answer, isClosed };
  }
}

function bodyOf({ json, body }: AttackRequest): Buffer {
  const text = body ?? (json === undefined ? '' : JSON.stringify(json));
  return typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
}

/** The request line, the headers that matter, the body. */
function shownRequest(asked: AttackRequest, instance: Instance): string {
  const { method = 'GET', path, headers = [] } = asked;
  const shown = headers.filter(([name]) => name !== 'Authorization').map(([name, value]) => `${name}: ${value}`);
  return instance.shown(
    [`${method} ${path}`, ...shown, bodyOf(asked).subarray(0, MOST_SENT).toString('utf8')]
      .filter(part => part !== '')
      .join(' | '),
  );
}
