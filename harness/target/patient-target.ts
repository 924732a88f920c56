// Sends requests as a server can take them: a few reads at once, slower after a 429, again after a passing failure, and reads only when writes show.
import { setTimeout } from 'node:timers/promises';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { counted } from '../../server/derive/text/counted.js';
import { visible } from '../../server/derive/text/visible.js';
import { type Received, type Target, Unreachable } from '../../server/scenario/play/target.js';
import type { OtherServer } from './other-servers.js';

/** Times in milliseconds. */
export interface Patience {
  /** How long a change may take to appear. 0: reads are believed at once. */
  readonly stale: number;
  now(): number;
  sleep(time: number, signal: AbortSignal | undefined): Promise<unknown>;
}

export const realPatience: Omit<Patience, 'stale'> = {
  now: () => performance.now(),
  sleep: (time, signal) => setTimeout(time, undefined, { signal }).catch(() => {}), // an interrupted wait is over
};

/** How often a request is repeated, and how long one 429 may take in all. */
const REPEATS = 3;
const MOST_WAIT_MS = 60_000;
const MOST_AT_ONCE = 4;
const PAUSE_MS = 250;

/** Statuses of a server that is busy or away: they say nothing about the document. */
export function isPassing(status: number): boolean {
  return [408, 429, 502, 503, 504].includes(status);
}

/** `lag` is found out by the run. */
export class PatientTarget implements OtherServer {
  readonly url: string;
  readonly context: string;
  readonly patience: Patience;
  /** How long changes take to appear, as measured. */
  lag = 0;
  /** Keys of the spaces that were asked for. */
  readonly copies = new Set<string>();
  #atOnce = MOST_AT_ONCE;
  /** Least time between two requests, and the time of the next. */
  #gap = 0;
  #next = 0;
  #busy = 0;
  readonly #waiting: Array<() => void> = [];
  #changed = Number.NEGATIVE_INFINITY;
  readonly #repeated = new Map<number, number>();
  #counted = 0;
  readonly #waited = { busy: 0, stale: 0 };

  /** `signal`: ends waits, readings, and then requests, with `Unreachable`; the run takes it away before it restores. `say`: called with a sentence when the server first asks for patience. */
  constructor(
    private readonly target: Target & Partial<OtherServer>,
    patience: Partial<Patience> = {},
    public signal?: AbortSignal,
    readonly say: (text: string) => void = () => {},
  ) {
    this.url = target.url;
    this.context = target.context;
    this.patience = { stale: 0, ...realPatience, ...patience };
  }

  async send(request: HttpRequest): Promise<Received> {
    const isRead = ['GET', 'HEAD'].includes(request.method);
    const [path = '', query = ''] = request.path.split('?', 2);
    const key = path.includes('/spaces/copySpace') ? new URLSearchParams(query).get('targetSpaceKey') : null;
    if (key !== null) this.copies.add(key);
    while (this.#busy >= this.#atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      if (this.signal?.aborted) throw new Unreachable('the run was interrupted');
      if (isRead && this.lag > 0) await this.wait(this.#changed + this.lag - this.patience.now(), 'stale');
      return await this.#patiently(request, isRead || !isOnce(request));
    } finally {
      if (!isRead) this.#changed = this.patience.now();
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  shown(request: HttpRequest): ReturnType<OtherServer['shown']> {
    return this.target.shown?.(request) ?? { url: this.url, request };
  }

  get notGiven(): OtherServer['notGiven'] {
    return this.target.notGiven ?? new Map();
  }

  async close(): Promise<void> {
    await this.target.close();
  }

  /** What the server made the run wait for and repeat, a sentence each. */
  get notes(): string[] {
    const seconds = (time: number) => counted(Math.round(time / 1000), 'second');
    const { busy, stale } = this.#waited;
    return [
      ...[...this.#repeated].map(
        ([status, count]) => `${counted(count, 'request')} got ${status} and had to be repeated.`,
      ),
      ...(busy > 0 ? [`Waited ${seconds(busy)} in all because the server was busy.`] : []),
      ...(stale > 0 ? [`Waited ${seconds(stale)} in all for changes to appear.`] : []),
    ];
  }

  async #patiently(request: HttpRequest, isRepeatable: boolean): Promise<Received> {
    const until = this.patience.now() + MOST_WAIT_MS;
    let first: Received | undefined;
    for (let repeats = 0; ; repeats += 1) {
      const received = await this.#inTurn(request);
      const { status, headers } = received;
      if (first?.status === 500 && status >= 400) return first; // perhaps refused because the first one was done
      first ??= received;
      const isBusy = status === 429;
      if (status < 500 && status !== 408 && !isBusy) return received;
      if (this.signal?.aborted) return received;
      if (isBusy ? this.patience.now() >= until : !isRepeatable || repeats >= (isPassing(status) ? REPEATS : 1))
        return received;
      if (!this.#repeated.has(status))
        this.say(
          `${request.method} ${request.path} got ${status}. Repeating such requests${isBusy ? ', more slowly' : ''}.`,
        );
      this.#repeated.set(status, (this.#repeated.get(status) ?? 0) + 1);
      if (isBusy) {
        this.#atOnce = 1;
        this.#gap = Math.min(2000, Math.max(50, this.#gap * 2));
      }
      await this.wait(
        retryAfterMs(headers['retry-after']) ?? (isPassing(status) ? PAUSE_MS * 2 ** repeats : 0),
        'busy',
      );
    }
  }

  async #inTurn(request: HttpRequest): Promise<Received> {
    const at = this.#next;
    this.#next = Math.max(this.patience.now(), at) + this.#gap;
    await this.wait(at - this.patience.now(), 'busy');
    return this.target.send(request);
  }

  /** Waits unless interrupted, and counts it. */
  async wait(time: number, why: 'busy' | 'stale'): Promise<void> {
    if (time <= 0) return;
    const before = Math.max(this.patience.now(), this.#counted); // several may wait at once
    await this.patience.sleep(Math.min(time, MOST_WAIT_MS), this.signal);
    this.#counted = Math.max(this.#counted, this.patience.now());
    this.#waited[why] += Math.max(0, this.#counted - before);
  }
}

/** Done twice, these do more than done once. */
function isOnce({ path }: HttpRequest): boolean {
  return /\/spaces\/(?:copySpace|replaceInPage|add-sidebar-link)\b/i.test(path);
}

/** Milliseconds of a `Retry-After`, in seconds or as a date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

/** Characters of a response that are looked at. */
const MOST = 4_000;

/** What the server says, in one line, and what helps against a check for forged requests. */
export function reasonIn({ text }: Pick<Received, 'text'>): string {
  const said = visible(
    text
      .slice(0, MOST)
      .replace(/<(style|script|head)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 150),
  );
  const hint = /xsrf/i.test(text) ? ". Add --header 'X-Atlassian-Token: no-check'" : '';
  return said === '' ? hint : ` (${said})${hint}`;
}
