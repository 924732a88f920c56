// Plays one case over a connection and checks the responses.

import type { Case } from '../cases/cases.js';
import { type Shadow, wrongIn } from '../judging/judged.js';
import type { Shared } from '../run.js';
import { sendByAnotherClient } from './other-clients.js';
import { Wire } from './wire.js';

/** A response later than this is late. It is missing if it is still not there this long after another request was answered. */
const PATIENCE_MS = 5_000;

export class Play {
  #kept: Wire | undefined;

  constructor(
    private readonly shared: Shared,
    private readonly own: string,
    private readonly shadow: Shadow,
  ) {}

  async play(made: Case): Promise<void> {
    if (made.kind === 'another client') return this.#elsewhere(made);
    const wire = await this.#wire(made.isKept);
    const before = wire.responses.length;
    for (const isHead of headsIn(made)) wire.expect(isHead);
    const replies = made.kind === 'reset' ? [] : made.asked.map(({ request }) => this.shadow.perform(request).reply);
    await send(wire, made);
    const problem = (await this.#wait(wire, made, before)) ?? wire.illFormed;
    const responses = wire.responses.slice(before);
    for (const { status } of responses) this.shared.counts.answered(status);
    const broken = responses.find(({ status }) => status >= 500);
    if (problem !== undefined) this.#add(made, problem, wire);
    else if (broken !== undefined)
      this.#add(made, `answered ${broken.status} ${broken.body.toString().slice(0, 200)}`, wire);
    responses.forEach((response, i) => {
      const reply = replies[i];
      if (reply !== undefined) this.#add(made, wrongIn(reply, response, this.own), wire);
      else if (made.refusal.length > 0 && !made.refusal.includes(response.status))
        this.#add(made, `answered ${response.status}, and one of ${made.refusal.join(', ')} is right`, wire);
    });
    if (problem !== undefined)
      wire.reset(); // a kept connection would be kept for ever
    else if (!made.isKept || made.refusal.length > 0) wire.close();
  }

  end(): void {
    this.#kept?.close();
  }

  async #wire(isKept: boolean): Promise<Wire> {
    if (isKept && this.#kept !== undefined && !this.#kept.isClosed) return this.#kept;
    const wire = await Wire.to(this.shared.port);
    if (isKept) this.#kept = wire;
    return wire;
  }

  /** Waits for the expected responses; returns the missing ones. */
  async #wait(wire: Wire, made: Case, before: number): Promise<string | undefined> {
    if (made.ending === 'reset') return void wire.reset();
    if (made.ending === 'half-close') {
      wire.halfClose();
      const isMissing = await this.#isMissing(within => wire.untilClosed(within));
      return isMissing ? 'the connection is not ended after the sender has ended its side' : undefined;
    }
    const due = made.kind === 'control' ? 1 : made.asked.length + (made.refusal.length > 0 ? 1 : 0);
    if (await this.#isMissing(within => wire.untilAnswers(before + due, within)))
      return 'no response, and the connection is open';
    const came = wire.responses.length - before;
    if (came < due && wire.illFormed === undefined) return `${came} of ${due} responses before the connection ended`;
    if (made.refusal.length === 0 || wire.isClosed) return undefined;
    wire.halfClose();
    if (await this.#isMissing(within => wire.untilClosed(within))) return 'the connection is not ended after a refusal';
    return wire.responses.length - before > due
      ? `${wire.responses.length - before} responses where ${due} are due`
      : undefined;
  }

  /** Late, and late again after the server has answered another request. */
  async #isMissing(wait: (within: number) => Promise<string>): Promise<boolean> {
    const { patience = PATIENCE_MS } = this.shared.trial;
    if ((await wait(patience)) !== 'late') return false;
    await this.shared.control.ask('GET', '/_fake/health');
    return (await wait(patience)) === 'late';
  }

  async #elsewhere(made: Case): Promise<void> {
    const [asked] = made.asked;
    if (asked === undefined) return;
    const { reply } = this.shadow.perform(asked.request);
    const { control, trial } = this.shared;
    const within = 2 * (trial.patience ?? PATIENCE_MS);
    const response = await sendByAnotherClient(control, this.own, asked, made.at, within).catch(
      (error: Error) => error,
    );
    if (response instanceof Error)
      return this.#add(made, `a client that many use gets no response: ${response.message}`);
    this.shared.counts.answered(response.status);
    this.#add(made, wrongIn(reply, response, this.own));
  }

  #add({ at, kind, bytes }: Case, problem: string | undefined, wire?: Wire): void {
    if (problem === undefined) return;
    const received = wire === undefined ? {} : { received: Buffer.concat(wire.received) };
    this.shared.findings.add({ at, kind, problem, sent: bytes, ...received });
  }
}

/** Which of the responses answer a HEAD: they have no body. */
function headsIn({ asked, bytes, refusal }: Case): boolean[] {
  if (asked.length === 0) return [/^[\r\n]*HEAD /.test(bytes.toString('latin1', 0, 20))];
  return [...asked.map(({ request }) => request.method === 'HEAD'), ...(refusal.length > 0 ? [false] : [])];
}

/** Piece by piece, with a moment between them. */
async function send(wire: Wire, { bytes, cuts }: Case): Promise<void> {
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    await wire.write(bytes.subarray(from, to));
    if (to < bytes.length) await new Promise(resolve => setImmediate(resolve));
    from = to;
  }
}
