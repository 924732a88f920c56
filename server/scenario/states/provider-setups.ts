// The setups of all sandboxes of a server by name. Drops setups whose sandbox is gone: a sandbox created again starts fresh anyway.
import { ProviderSetup, type SetupSettings } from './provider-setup.js';

/** From this number on, old setups are dropped. */
const FEW = 64;

export class ProviderSetups {
  readonly #setups = new Map<string, ProviderSetup>();
  #due = FEW;

  constructor(private readonly settings: Omit<SetupSettings, 'sandbox'>) {}

  /** Number of setups. */
  get size(): number {
    return this.#setups.size;
  }

  /** The setup of a sandbox by name. */
  of(sandbox: string): ProviderSetup {
    const known = this.#setups.get(sandbox);
    if (known !== undefined) return known;
    if (this.#setups.size >= this.#due) this.#letGo();
    const made = new ProviderSetup({ ...this.settings, sandbox });
    this.#setups.set(sandbox, made);
    return made;
  }

  #letGo(): void {
    const live = new Set(this.settings.session.sandboxes.list().map(({ name }) => name));
    for (const [name, setup] of this.#setups) if (!live.has(name) && setup.isIdle) this.#setups.delete(name);
    this.#due = Math.max(FEW, 2 * this.#setups.size); // doubling keeps the cost of each new setup low
  }
}
