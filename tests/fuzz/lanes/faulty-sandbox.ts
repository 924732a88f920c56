// The sandbox of a lane with armed faults: the model knows each response, or what is left of it, and how often each fault fired.
import type { Came } from '../../model/model.js';
import { ModelSandbox } from '../../model/model.js';
import type { Case } from '../cases/cases.js';
import { NOW, wrongIn } from '../judging/judged.js';
import type { Shared } from '../run.js';
import { Wire } from './wire.js';

/** Milliseconds; far from any delay that a fault makes. */
const PATIENCE_MS = 10_000;

export class FaultySandbox {
  #model: ModelSandbox;

  constructor(
    private readonly shared: Shared,
    private readonly name: string,
  ) {
    this.#model = this.#begun();
  }

  reset(): void {
    this.#model = this.#begun();
  }

  /** Arms the faults of a case, and sends its requests one after the other. */
  async play(made: Case): Promise<void> {
    const { control } = this.shared;
    const { faults = [], parts = [], asked } = made;
    await control.order('PUT', `/sandboxes/${this.name}/faults`, { faults });
    this.#model.arm(faults);
    let wire: Wire | undefined;
    for (const [i, { request }] of asked.entries()) {
      const came = this.#model.perform(request);
      if (wire === undefined || wire.isClosed) wire = await Wire.to(this.shared.port);
      const problem = await this.#one(wire, parts[i] ?? made.bytes, came);
      if (problem !== undefined) this.#add(made, `request ${i}: ${problem}`, wire);
      if (came === 'no response' || came === 'cut short') wire.close();
    }
    wire?.close();
    const reported = (await control.order('GET', `/sandboxes/${this.name}/faults`)) as {
      faults: Array<{ matched: number; fired: number }>;
    }; // as its document says
    const counted = (armed: ReadonlyArray<{ matched: number; fired: number }>) =>
      JSON.stringify(armed.map(({ matched, fired }) => ({ matched, fired })));
    if (counted(reported.faults) !== counted(this.#model.now.faults))
      this.#add(made, `the faults tell ${counted(reported.faults)}, and the model ${counted(this.#model.now.faults)}`);
    for (const { fired } of reported.faults) this.shared.counts.faultsFired += fired;
    this.#model = new ModelSandbox(this.#model.origin, this.#model.now); // without its past, which is never read
  }

  async problem(): Promise<string | undefined> {
    const [own, other] = [this.#model.world(), await this.shared.control.world(this.name)].map(world =>
      JSON.stringify(ordered(world)),
    );
    return own === other ? undefined : `${other} and not ${own}`;
  }

  async #one(wire: Wire, bytes: Buffer, came: Came): Promise<string | undefined> {
    const { patience = PATIENCE_MS } = this.shared.trial;
    const before = wire.responses.length;
    wire.expect(false);
    await wire.write(bytes);
    const waited = await (came === 'no response' || came === 'cut short'
      ? wire.untilClosed(patience)
      : wire.untilAnswers(before + 1, patience));
    if (waited === 'late')
      return `${patience} ms later there is neither a response nor an end, and the model says ${JSON.stringify(came)}`;
    const [response] = wire.responses.slice(before);
    if (response !== undefined) this.shared.counts.answered(response.status);
    if (came === 'no response')
      return response === undefined && !wire.isWithin
        ? undefined
        : 'a response where the connection was to end without one';
    if (came === 'cut short')
      return response === undefined && wire.isWithin
        ? undefined
        : 'a response that is whole, or none, where it was to be cut short';
    if (response === undefined) return wire.illFormed ?? 'the connection ended without a response';
    if (response.status >= 500 && !response.headers.has('x-fake-fault'))
      return `answered ${response.status}, and no fault says that it is one`;
    return wire.illFormed ?? wrongIn(came, response, this.name);
  }

  #begun(): ModelSandbox {
    return new ModelSandbox({
      world: structuredClone(this.shared.form) as Readonly<Record<string, unknown>>,
      readings: {},
      clock: NOW,
    });
  }

  #add({ at, kind, bytes, faults }: Case, problem: string, wire?: Wire): void {
    const received = wire === undefined ? {} : { received: Buffer.concat(wire.received) };
    this.shared.findings.add({
      at,
      kind,
      problem: `${problem}; armed ${JSON.stringify(faults)}`,
      sent: bytes,
      ...received,
    });
  }
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}
