// Whole worlds as parts, named by a hash, that many bases share. A world is one object in this process, however many bases refer to it.
import { createHash } from 'node:crypto';
import { type BeyondForm, beyondForm, withBeyond } from '../../domain/form/beyond-form.js';
import { formOf, worldFrom } from '../../domain/form/form.js';
import type { WorldForm } from '../../domain/form/form-shapes.js';
import { emptyWorld, type World } from '../../domain/world/world.js';
import { type SharedPart, StoreError } from '../store.js';
import { stored } from './stored.js';

interface WrittenWorld {
  readonly form: WorldForm;
  readonly beyond: BeyondForm;
}

export class WorldParts {
  readonly #names = new WeakMap<World, string>();
  readonly #worlds = new Map<string, WeakRef<World>>();
  /** Worlds that are being read: parallel requests for one share the result. */
  readonly #coming = new Map<string, Promise<World>>();
  readonly #gone = new FinalizationRegistry<string>(name => {
    if (this.#known(name) === undefined) this.#worlds.delete(name);
  });

  /** A world is encoded once for its name, and again if its text is needed. */
  part(world: World): SharedPart {
    const text = () => textOf(world);
    const name = this.#names.get(world) ?? nameOf(text());
    this.#keep(world, name);
    return { name, text };
  }

  /** The world of a name. `part` reads its text if it is unknown. */
  async world(name: string, part: (name: string) => Promise<string>): Promise<World> {
    return this.#known(name) ?? this.#coming.get(name) ?? this.#read(name, part);
  }

  #read(name: string, part: (name: string) => Promise<string>): Promise<World> {
    const coming = this.#build(name, part).finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }

  async #build(name: string, part: (name: string) => Promise<string>): Promise<World> {
    const written = await part(name);
    if (nameOf(written) !== name)
      throw new StoreError('lost', `The part ${name} is damaged: its stored content does not match its name.`);
    const { form, beyond } = stored<WrittenWorld>(written, `the part ${name}`);
    const world = withBeyond(worldFrom(form), beyond);
    this.#keep(world, name);
    return world;
  }

  #known(name: string): World | undefined {
    return this.#worlds.get(name)?.deref();
  }

  #keep(world: World, name: string): void {
    this.#names.set(world, name);
    if (this.#known(name) !== undefined) return;
    this.#worlds.set(name, new WeakRef(world));
    this.#gone.register(world, name);
  }
}

function textOf(world: World): string {
  return JSON.stringify({ form: formOf(world), beyond: beyondForm(world, emptyWorld) } satisfies WrittenWorld);
}

function nameOf(written: string): string {
  return `w-${createHash('sha256').update(written).digest('hex')}`;
}
