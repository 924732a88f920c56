// What is checked of a lane after some hundred cases: its worlds against the model's, its journals against the requests sent.
import { type Case, limboOf, type Sandboxes } from '../cases/cases.js';
import type { Shared } from '../run.js';
import { type Entry, replayed, type Shadow } from './judged.js';
import { limboProblem } from './limbo.js';

export class Settling {
  constructor(
    private readonly shared: Shared,
    private readonly sandboxes: Sandboxes,
    private readonly add: (kind: string, problem: string | undefined, made?: Case) => void,
  ) {}

  /** The sandbox whose requests are all known. */
  async own(shadow: Shadow): Promise<void> {
    const { control } = this.shared;
    const { own } = this.sandboxes;
    this.add('the world', shadow.difference(await control.world(own)));
    this.add('the journal', misfitting(await control.entries(own), shadow));
  }

  /** The sandbox whose requests are read from the journal. */
  async free(shadow: Shadow): Promise<void> {
    const world = await this.shared.control.worldAfter(this.sandboxes.free, 0, entry =>
      this.add('bytes changed', replayed(shadow, entry)),
    );
    this.add('the world of changed bytes', shadow.difference(world));
  }

  async limbos(cases: readonly Case[]): Promise<void> {
    const { control, form } = this.shared;
    for (const made of cases)
      this.add('reset', await limboProblem(control, limboOf(this.sandboxes.own, made.at), made, form), made);
  }
}

/** An aborted body is in the journal, although nothing was performed. */
function isPerformed({ request }: Pick<Entry, 'request'>): boolean {
  return request.unread?.kind !== 'cut-short';
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
