// The setups of all sandboxes of a server, one for each name. Lets go of those whose sandbox is gone: a sandbox made anew under that name
// is a fresh one to a new setup as it is to the old.
import { ProviderSetup, type SetupSettings } from './provider-setup.js';

/** From this many on they are looked through. */
const FEW = 64;

export class ProviderSetups {
  readonly #setups = new Map<string, ProviderSetup>();
  #due = FEW;

  constructor(private readonly settings: Omit<SetupSettings, 'sandbox'>) {}

  /** How many there are. */
  get size(): number {
    return this.#setups.size;
  }

  /** The setup of a sandbox, by its name. */
  of(sandbox: string): ProviderSetup {
    const known = this.#setups.get(sandbox);
    if (known !== undefined) return known;
    if (this.#setups.size >= this.#due) this.#letGo();
    const made = new ProviderSetup({ ...this.settings, sandbox });
    this.#setups.set(sandbox, made);
    return made;
  }

  #letGo(): void {
    const live = new Set(this.settings.session.list().map(({ name }) => name));
    for (const [name, setup] of this.#setups) if (!live.has(name) && setup.isIdle) this.#setups.delete(name);
    this.#due = Math.max(FEW, 2 * this.#setups.size); // so that looking through costs each newcomer next to nothing
  }
}
