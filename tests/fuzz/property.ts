// The property of the fuzz: whatever arrives, each connection gets well-formed responses and ends, nothing is answered with 5xx, known requests are
// answered as the model says, and the world is the model's.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { written } from '../model/model-world.js';
import { sendJson } from '../support/wire/server.js';
import { type Message, messages, SANDBOX, WILD } from './bytes.js';
import { type Entry, mistaken, NOW, replayed, Shadow } from './judged.js';

/** Node's refusals of what it does not implement. */
const ALLOWED = [501, 505];

interface Trial {
  readonly seed: number;
  readonly runs: number;
  /** Milliseconds within which a connection has to end after its sender has ended its side. */
  readonly patience: number;
}

/** Throws for the shortest course of messages that breaks the property. */
export async function fuzz(url: string, { seed, runs, patience }: Trial): Promise<void> {
  let course = 0;
  const property = fc.asyncProperty(
    fc.array(messages, { minLength: 1, maxLength: 8 }),
    fc.option(messages, { freq: 4 }),
    async (all, reset) => {
      course += 1;
      const name = `fuzz${String(course % 10_000).padStart(4, '0')}`;
      const tried = new Course(url, name, patience);
      await tried.begin();
      for (const message of all) await tried.play(message);
      if (reset !== null) await tried.reset(reset);
      await tried.end();
    },
  );
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
}

class Course {
  #shadow = new Shadow({});
  #seen = 0;
  #isKnown = true;

  constructor(
    private readonly url: string,
    private readonly name: string,
    private readonly patience: number,
  ) {}

  async begin(): Promise<void> {
    await this.#control('PUT', '', { clock: NOW });
    this.#shadow = new Shadow((await this.#control('GET', '/world')) as object);
  }

  async play(message: Message): Promise<void> {
    const responses = responsesIn(await this.#send(message));
    const broken = responses.filter(({ status }) => status >= 500 && !ALLOWED.includes(status));
    expect(broken.map(({ status, body }) => `${status} ${body}`)).to.deep.equal([]);
    const entries = new Map((await this.#replayed()).map(entry => [`${this.name}.${entry.id}`, entry]));
    this.#isKnown &&= message.asked !== undefined;
    if (message.asked === undefined) return;
    if (this.#isKnown) expect(entries, 'entries').to.have.length(message.asked.length);
    expect(responses).to.have.length(message.asked.length);
    for (const [i, asked] of message.asked.entries()) {
      const { id, status, body } = responses[i] ?? expect.fail(`request ${i} has no response`);
      const entry = entries.get(id) ?? expect.fail(`the journal has no ${id}`);
      const mistake = mistaken(asked, entry, this.#shadow);
      expect(mistake, mistake).to.equal(undefined);
      expect({ status, body }).to.deep.equal({ status: entry.response.status, body: entry.response.body ?? '' });
    }
  }

  /** Sends it and breaks the connection: it is performed once, or not at all, and that may be later. */
  async reset({ bytes }: Message): Promise<void> {
    const socket = await this.#connected();
    socket.write(this.#named(bytes));
    await setTimeout(1);
    socket.resetAndDestroy();
  }

  /** A request whose sender broke the connection may be performed between two readings: both are read again then. */
  async end(): Promise<void> {
    let world: unknown;
    do world = await this.#control('GET', '/world');
    while ((await this.#replayed()).length > 0);
    expect(world).to.deep.equal(written(this.#shadow.world));
    const { json } = await sendJson(`${this.url}/_fake/v1/sandboxes`, 'GET');
    for (const { name } of (json as { sandboxes: Array<{ name: string }> }).sandboxes)
      if (name !== 'default') await sendJson(`${this.url}/_fake/v1/sandboxes/${name}`, 'DELETE');
  }

  async #replayed(): Promise<readonly Entry[]> {
    const { entries } = (await this.#control('GET', `/journal?since=${this.#seen}`)) as { entries: Entry[] };
    for (const entry of entries) {
      const problem = replayed(this.#shadow, entry);
      expect(problem, problem).to.equal(undefined);
    }
    this.#seen = entries.at(-1)?.id ?? this.#seen;
    return entries;
  }

  async #control(method: string, path: string, body?: object): Promise<unknown> {
    const { status, json } = await sendJson(`${this.url}/_fake/v1/sandboxes/${this.name}${path}`, method, body);
    expect(status).to.be.below(300);
    return json;
  }

  #named(bytes: string): Buffer {
    return Buffer.from(bytes.replaceAll(SANDBOX, this.name).replaceAll(WILD, `w${this.name.slice(1)}`), 'latin1');
  }

  async #connected() {
    const { port, hostname } = new URL(this.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  /**
   * Sends it in two pieces, waits for the responses that are due, and ends the sending side; gives all that came until the server has ended the
   * connection. A server may leave out the responses to a sender that has ended its side.
   */
  async #send({ bytes, cut, asked }: Message): Promise<string> {
    const socket = await this.#connected();
    const received: Buffer[] = [];
    socket.on('data', chunk => received.push(chunk));
    const closed = new Promise(resolve => socket.once('close', () => resolve(true)));
    const more = () => new Promise(resolve => socket.once('data', () => resolve(false)));
    socket.once('end', () => socket.end());
    const whole = this.#named(bytes);
    if (socket.write(whole.subarray(0, cut))) await setTimeout(0);
    socket.write(whole.subarray(cut));
    const text = () => Buffer.concat(received).toString('latin1');
    const late = new AbortController();
    const isLate = setTimeout(this.patience, true, late);
    for (const due = asked?.length ?? 0; (text().match(/HTTP\/1\.1 [2-5]\d\d /g) ?? []).length < due; )
      if (await Promise.race([more(), closed, isLate])) break;
    socket.end();
    if ((await Promise.race([closed.then(() => 'closed'), isLate])) !== 'closed')
      expect.fail(`the connection is open after ${this.patience} ms; received: ${text()}`);
    late.abort();
    return text();
  }
}

interface Response {
  readonly id: string;
  readonly status: number;
  readonly body: string;
}

/** The responses in what came, read strictly; those that promise another one are left out. */
function responsesIn(received: string): Response[] {
  const responses: Response[] = [];
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
    const isBodiless = status < 200 || status === 204 || status === 304;
    at = end + 4;
    if (headers.has('transfer-encoding'))
      at += /^(?:[1-9a-f][\da-f]*\r\n[\s\S]*?\r\n)*?0\r\n\r\n/.exec(received.slice(at))?.[0].length ?? Number.NaN;
    else if (!isBodiless) at += Number(headers.get('content-length'));
    if (!(at <= received.length)) expect.fail(`a response of another length than it says: ${line}`);
    const body = Buffer.from(received.slice(end + 4, at), 'latin1').toString('utf8');
    if (status >= 200) responses.push({ status, body, id: headers.get('x-request-id') ?? '' });
  }
  return responses;
}
