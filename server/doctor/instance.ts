// The attacked instance: sends requests, keeps its answers, and knows the attacks' sandbox.
import { Unreachable } from '../scenario/play/target.js';
import type { Answer } from './answers.js';
import { shownAnswer, shownBytes } from './escaped-bytes.js';
import type { Line } from './line.js';
import { isBug, type Trial } from './trial.js';
import type { Wire } from './wire.js';

/** Maximum kept part of sent texts, for telling them from the server's own. */
const MAX_SENT = 16 * 1024;
const MAX_KEPT = 2_000;
/** Maximum characters of a shown answer. */
const MAX_NOTED = 64 * 1024;
/** An invalid sandbox name: without a control API, attacks leave no journal entries. */
export const NOWHERE = ['X-Fake-Sandbox', '~'] as const;

const CALLER = ['Authorization', `Basic ${Buffer.from('doctor:doctor').toString('base64')}`] as const;

export interface AttackRequest {
  readonly method?: string;
  readonly path: string;
  /** In this order and unchanged, after a Host unless they contain one. */
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  /** A JSON value. */
  readonly json?: unknown;
  /** The raw body. */
  readonly body?: string | Buffer;
}

/** The result of a request. */
export interface Exchange {
  /** The request, readable. */
  readonly sent: string;
  /** Absent: no answer. */
  readonly answer?: Answer;
  /** Without an answer: whether the connection was closed or timed out. */
  readonly isClosed: boolean;
}

export interface InstanceParts {
  readonly url: URL;
  readonly wire: Wire;
  /** The given control token. */
  readonly token?: string;
  /** The attacks' sandbox; absent if the control API is off, or needs a token that was not given. */
  readonly sandbox?: string;
  /** Why there is no sandbox. */
  readonly why: string;
  /** Timeout of an answer in milliseconds. */
  readonly answerTime: number;
  /** Milliseconds to wait for slow connections to be closed. */
  readonly patience: number;
  /** Number of connections that the user expects to be refused; absent if not given. */
  readonly tooMany?: number;
  /** Non-loopback addresses of this machine. */
  readonly addresses: readonly string[];
}

export class Instance {
  /** The latest requests with their answers. */
  readonly answered: Array<{ readonly raw: string; readonly sent: string; readonly answer: Answer }> = [];

  constructor(readonly parts: InstanceParts) {}

  get host(): string {
    return this.parts.url.host;
  }

  /** A path within the attacks' sandbox. */
  own(path: string): string {
    return `/~${this.parts.sandbox}${path}`;
  }

  /** A control API path of the attacks' sandbox. */
  ownControl(path: string): string {
    return `/_fake/v1/sandboxes/${this.parts.sandbox}${path}`;
  }

  /** The header for the control API. */
  get pass(): ReadonlyArray<readonly [string, string]> {
    return this.parts.token === undefined ? [] : [['Authorization', `Bearer ${this.parts.token}`]];
  }

  /** The credentials for a path: the control token, or the user that `admit` creates. */
  credentialsFor(path: string): ReadonlyArray<readonly [string, string]> {
    return path.includes('/_fake/') ? this.pass : [CALLER];
  }

  /** Creates an admin in the attacks' sandbox; a reset removes it. */
  async admit(): Promise<void> {
    const world = { users: { doctor: { admin: true } }, licence: { ppf: 'valid' } };
    await this.control('PATCH', this.ownControl('/world'), world);
  }

  /** Sends one request over its own connection. */
  async ask(asked: AttackRequest, address?: string): Promise<Exchange> {
    const line = await this.parts.wire.open(address);
    const head = this.head(asked, [['Connection', 'close']]);
    const body = bodyOf(asked);
    line.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    return this.#finished(line, `${head}${body.subarray(0, MAX_SENT).toString('latin1')}`, shownRequest(asked, this));
  }

  /** Calls the control API with its token. */
  control(method: string, path: string, json?: unknown): Promise<Exchange> {
    return this.ask({ method, path, headers: this.pass, ...(json !== undefined && { json }) });
  }

  /** Sends raw bytes over a new connection and waits for one answer. */
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

  /** Request line and headers. */
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

  /** Readable bytes, without the token. */
  shown(bytes: string): string {
    const { token } = this.parts;
    return shownBytes(bytes, token === undefined ? [] : [token]);
  }

  shownAnswer(answer: Answer): string {
    const { token } = this.parts;
    return shownAnswer(answer, token === undefined ? [] : [token]);
  }

  /** The trial of an exchange: open if its answer is. Rejects if there was no answer in time. */
  trial({ sent, answer, isClosed }: Exchange, isOpen: (answer: Answer) => boolean): Trial {
    if (answer !== undefined)
      return { sent, seen: this.shownAnswer(answer), outcome: String(answer.status), isOpen: isOpen(answer) };
    if (!isClosed) throw new Unreachable(`there was no answer within ${this.parts.answerTime / 1000} s to ${sent}`);
    return { sent, seen: 'the connection was closed without an answer', outcome: 'closed', isOpen: false };
  }

  /** The same for attacks in which silence or a closed connection is the aim. */
  survived({ sent, answer, isClosed }: Exchange): Trial {
    if (answer !== undefined && !isBug(answer.status))
      return { sent, seen: this.shownAnswer(answer), outcome: String(answer.status), isOpen: false };
    const silent = `there was no answer within ${this.parts.answerTime / 1000} s`;
    const gone = isClosed ? 'the connection was closed without an answer' : silent;
    const outcome = answer === undefined ? (isClosed ? 'closed' : 'no answer') : String(answer.status);
    return { sent, seen: answer === undefined ? gone : this.shownAnswer(answer), outcome, isOpen: true };
  }

  /** Keeps an answer for the final checks. */
  note(raw: string, sent: string, answer: Answer): void {
    this.answered.push({
      raw: raw.slice(0, MAX_SENT),
      sent,
      answer: { ...answer, text: answer.text.slice(0, MAX_NOTED) },
    });
    if (this.answered.length > MAX_KEPT) this.answered.shift();
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

/** Request line, relevant headers and body. */
function shownRequest(asked: AttackRequest, instance: Instance): string {
  const { method = 'GET', path, headers = [] } = asked;
  const shown = headers.filter(([name]) => name !== 'Authorization').map(([name, value]) => `${name}: ${value}`);
  return instance.shown(
    [`${method} ${path}`, ...shown, bodyOf(asked).subarray(0, MAX_SENT).toString('utf8')]
      .filter(part => part !== '')
      .join(' | '),
  );
}
