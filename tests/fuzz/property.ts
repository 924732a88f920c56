// The property of the fuzz: each connection gets well-formed responses without a 5xx and ends, and known requests and the world are as the model says.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { readWorld, written } from '../model/model-world.js';
import { RawConnection } from '../support/wire/raw-connection.js';
import { sandboxNames, sendJson } from '../support/wire/server.js';
import { type Message, messages, SANDBOX, WILD } from './bytes.js';
import { expectRead, NOW, replay } from './judged.js';

/** Throws for the shortest course of messages that breaks the property. `patience`: milliseconds within which each connection has to end. */
export async function fuzz(url: string, patience: number, seed: number, numRuns: number): Promise<void> {
  let course = 0;
  const property = fc.asyncProperty(
    fc.array(messages, { minLength: 1, maxLength: 8 }),
    fc.option(messages, { freq: 4 }),
    async (all, reset) => {
      course += 1;
      const tried = new Course(url, `fuzz${String(course % 10_000).padStart(4, '0')}`, patience);
      await tried.begin();
      for (const message of all) await tried.play(message);
      if (reset !== null) await tried.reset(reset);
      await tried.end();
    },
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
}

class Course {
  #world = readWorld({});
  #seen = 0;
  #isKnown = true;

  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly patience: number,
  ) {}

  async begin(): Promise<void> {
    await this.#control('PUT', '', { clock: NOW });
    this.#world = readWorld(await this.#control('GET', '/world'));
  }

  async play(message: Message): Promise<void> {
    const responses = responsesIn(await this.#send(message));
    const isError = (status: number) => status >= 500 && status !== 501 && status !== 505; // those are Node's own
    expect(responses.filter(({ status }) => isError(status))).to.deep.equal([]);
    const entries = new Map((await this.#replayed()).map(entry => [`${this.name}.${entry.id}`, entry]));
    this.#isKnown &&= message.asked !== undefined;
    if (message.asked === undefined) return;
    if (this.#isKnown) expect(entries, 'entries').to.have.length(message.asked.length);
    expect(responses).to.have.length(message.asked.length);
    for (const [i, asked] of message.asked.entries()) {
      const { id, status, body } = responses[i] ?? expect.fail(`request ${i} has no response`);
      const entry = entries.get(id) ?? expect.fail(`the journal has no ${id}`);
      expectRead(asked, entry, this.#world);
      expect({ status, body }).to.deep.equal({ status: entry.response.status, body: entry.response.body ?? '' });
    }
  }

  /** Sends it and breaks the connection: it is performed once, or not at all, and that may be later. */
  async reset({ bytes }: Message): Promise<void> {
    const connection = await RawConnection.to(this.url);
    connection.write(this.#named(bytes));
    await setTimeout(1);
    connection.reset();
  }

  /** A request whose sender broke the connection may be performed between two readings: both are read again then. */
  async end(): Promise<void> {
    let world: unknown;
    do world = await this.#control('GET', '/world');
    while ((await this.#replayed()).length > 0);
    expect(world).to.deep.equal(written(this.#world));
    for (const name of await sandboxNames(this.url))
      if (name !== 'default') await sendJson(`${this.url}/_fake/v1/sandboxes/${name}`, 'DELETE');
  }

  async #replayed(): Promise<readonly JournalEntry[]> {
    const { entries } = await this.#control<{ entries: JournalEntry[] }>('GET', `/journal?since=${this.#seen}`);
    for (const entry of entries) replay(this.#world, entry);
    this.#seen = entries.at(-1)?.id ?? this.#seen;
    return entries;
  }

  async #control<T extends object>(method: string, path: string, body?: object): Promise<T> {
    const { status, json } = await sendJson(`${this.url}/_fake/v1/sandboxes/${this.name}${path}`, method, body);
    expect(status).to.be.below(300);
    return json as T; // as documented
  }

  #named(bytes: string): string {
    return bytes.replaceAll(SANDBOX, this.name).replaceAll(WILD, `w${this.name.slice(1)}`);
  }

  /** Sends it in two pieces, and ends its side after the responses that are due: a server may leave out later ones. Gives all that came. */
  async #send({ bytes, cut, asked = [] }: Message): Promise<string> {
    const connection = await RawConnection.to(this.url);
    const whole = this.#named(bytes);
    connection.write(whole.slice(0, cut));
    await setTimeout(0);
    connection.write(whole.slice(cut));
    const areHere = (received: string) => (received.match(/HTTP\/1\.1 [2-5]\d\d /g) ?? []).length >= asked.length;
    const ended = connection.until(areHere).then(() => {
      connection.end();
      return connection.untilClosed();
    });
    const late = new AbortController();
    const came = await Promise.race([ended, setTimeout(this.patience, undefined, late)]);
    late.abort();
    if (came === undefined) connection.close();
    return came ?? expect.fail(`the connection is open after ${this.patience} ms; received: ${connection.received}`);
  }
}

/** The responses in what came, read strictly; those that promise another one are left out. */
function responsesIn(received: string) {
  const responses: Array<Readonly<{ id: string; status: number; body: string }>> = [];
  for (let at = 0; at < received.length; ) {
    const end = received.indexOf('\r\n\r\n', at);
    const [line = '', ...fields] = received.slice(at, end === -1 ? undefined : end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\t -~]*$/.exec(line)?.[1]);
    const headers = new Map<string, string>();
    for (const field of fields) {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+): ?([\t -~\x80-\xff]*)$/.exec(field) ?? [];
      headers.set(name.toLowerCase(), value);
    }
    if (end === -1 || Number.isNaN(status) || headers.has('')) expect.fail(`bytes that are no response: ${line}`);
    at = end + 4;
    if (headers.has('transfer-encoding'))
      at += /^(?:[1-9a-f][\da-f]*\r\n[\s\S]*?\r\n)*?0\r\n\r\n/.exec(received.slice(at))?.[0].length ?? Number.NaN;
    else if (status >= 200 && status !== 204 && status !== 304) at += Number(headers.get('content-length'));
    if (!(at <= received.length)) expect.fail(`a response of another length than it says: ${line}`);
    const body = Buffer.from(received.slice(end + 4, at), 'latin1').toString('utf8');
    if (status >= 200) responses.push({ status, body, id: headers.get('x-request-id') ?? '' });
  }
  return responses;
}
