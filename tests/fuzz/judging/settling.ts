// The check after some hundred cases: worlds against the model's, journals against the requests sent, forks against their
// originals.
import { type Listening, listen } from '../../support/wire/event-reader.js';
import { type Case, limboOf, type Sandboxes } from '../cases/cases.js';
import type { Shared } from '../run.js';
import { type Entry, replayed, Shadow } from './judged.js';
import { limboProblem } from './limbo.js';

/** How long events may arrive after the responses they report; milliseconds. */
const TOLD_WITHIN = 20_000;

export class Settling {
  #listening: Listening | undefined;

  constructor(
    private readonly shared: Shared,
    private readonly sandboxes: Sandboxes,
    private readonly add: (kind: string, problem: string | undefined, made?: Case) => void,
  ) {}

  /** After the sandboxes were started anew: events are counted from here on. */
  async begin(): Promise<void> {
    if (this.shared.trial.isThorough !== true) return;
    const { port } = this.shared.control;
    this.#listening?.leave();
    this.#listening = await listen(`http://127.0.0.1:${port}/_fake/v1/sandboxes/${this.sandboxes.own}/events`);
  }

  end(): void {
    this.#listening?.leave();
  }

  /** The sandbox whose requests are all known. */
  async own(shadow: Shadow): Promise<void> {
    const { control, trial, counts } = this.shared;
    const { own } = this.sandboxes;
    this.add('the world', shadow.difference(await control.world(own)));
    if (trial.isThorough) await this.#fork(own, shadow);
    if (trial.isUnwritten) return;
    const all = await control.entries(own);
    this.add('the journal', misfitting(all, shadow));
    if (this.#listening !== undefined)
      counts.events += await this.#events(this.#listening, all.filter(isPerformed).length);
  }

  /** The sandbox whose requests are read from the journal. */
  async free(shadow: Shadow): Promise<void> {
    const { control, trial } = this.shared;
    if (trial.isUnwritten) return;
    const world = await control.worldAfter(this.sandboxes.free, 0, entry =>
      this.add('bytes changed', replayed(shadow, entry)),
    );
    this.add('the world of changed bytes', shadow.difference(world));
  }

  async limbos(cases: readonly Case[]): Promise<void> {
    const { control, form } = this.shared;
    for (const made of cases)
      this.add('reset', await limboProblem(control, limboOf(this.sandboxes.own, made.at), made, form), made);
  }

  /** A fork has the same world; a rewind in it does not affect the original. */
  async #fork(name: string, shadow: Shadow): Promise<void> {
    const { control, counts } = this.shared;
    const fork = `${name}-fork`;
    await control.order('POST', `/sandboxes/${name}/fork`, { name: fork });
    counts.forks += 1;
    this.add('a fork', shadow.difference(await control.world(fork)));
    await control.order('POST', `/sandboxes/${fork}/reset`);
    this.add('after the reset of its fork, the world', shadow.difference(await control.world(name)));
    this.add('a fork that was reset', new Shadow(this.shared.form).difference(await control.world(fork)));
    await control.order('DELETE', `/sandboxes/${fork}`);
  }

  /** As many entries must be reported as were recorded; returns their number. */
  async #events(listening: Listening, due: number): Promise<number> {
    const received = () => listening.events.filter(({ type, data }) => type === 'entry' && isPerformed(data)).length;
    const until = performance.now() + TOLD_WITHIN;
    while (received() < due && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 10));
    const others = listening.events
      .filter(({ type }) => type !== 'entry' && type !== 'changed')
      .map(({ type }) => type);
    if (received() !== due || others.length > 0)
      this.add('events', `${received()} entries are received and ${due} are written down; besides ${others}`);
    return received();
  }
}

/**
 * An aborted body is in the journal, although nothing was performed. The server may see the end of its connection after the sandbox has started anew, and
 * before anybody listens to its events.
 */
function isPerformed({ refused }: Pick<Entry, 'refused'>): boolean {
  return refused !== 'body-cut-short';
}

/** Where the entries differ from what was performed, in order. */
function misfitting(all: readonly Entry[], { performed }: Shadow): string | undefined {
  const entries = all.filter(isPerformed);
  const length = Math.max(entries.length, performed.length);
  const at = Array.from({ length }, (_, i) => i).find(
    i => entries[i]?.operation !== performed[i]?.operation || entries[i]?.response.status !== performed[i]?.status,
  );
  if (at === undefined) return undefined;
  const { method, url, response } = entries[at] ?? {};
  const found = `${entries.length} entries, the one at ${at} ${method} ${url} ${response?.status}`;
  return `${found}; the model has ${performed.length}, there ${JSON.stringify(performed[at])}`;
}
