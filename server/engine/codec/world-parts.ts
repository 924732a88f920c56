// Whole worlds as parts that many bases share, named by what is in them; each is one object in this process, however many refer to it.
// Knows no base and no store.
import { createHash } from 'node:crypto';
import { type BeyondForm, beyondForm, withBeyond } from '../../domain/form/beyond-form.js';
import { formOf, worldFrom } from '../../domain/form/form.js';
import type { FavouritesForm, WorldForm } from '../../domain/form/form-shapes.js';
import { emptyWorld, type World } from '../../domain/world.js';
import { type PutPart, StoreError } from '../store.js';
import { parsed } from './decode.js';
import { type PageTexts, pagesIn, partsIn } from './page-texts.js';
import { anything, count, counts, listOf, mapOf, maybe, nullable, objectOf, type Shape, text } from './shape.js';

/** A world that has a name, how many characters it is when it is written out, and the large texts that it has beside that, by their names. */
export interface Named {
  readonly name: string;
  readonly length: number;
  readonly texts: ReadonlyMap<string, string>;
}

/** A world, written out: in the place of a large text of a page may be a part. */
interface WrittenWorld {
  readonly form: WorldForm;
  readonly beyond: BeyondForm;
}

export const beyondShape: Shape = objectOf<BeyondForm>({
  lastPositions: maybe(mapOf(count)),
  favourites: maybe(mapOf(nullable(objectOf<FavouritesForm>({ filters: counts, dashboards: counts })))),
  nextPageId: maybe(count),
  sessions: maybe(listOf(listOf(text))),
});
/** What is in the form is as it was written: it has its name by it. */
const writtenShape = objectOf<WrittenWorld>({ form: mapOf(anything), beyond: beyondShape });

const NAME = /^w-[0-9a-f]{64}$/;
export const partName: Shape = value =>
  text(value) ?? (NAME.test(String(value)) ? undefined : ' must be the name of a world');

export class WorldParts {
  readonly #names = new WeakMap<World, Named>();
  readonly #worlds = new Map<string, WeakRef<World>>();
  /** Those that are being read: who asks for one of them meanwhile gets the same. */
  readonly #coming = new Map<string, Promise<World>>();
  readonly #gone = new FinalizationRegistry<string>(name => {
    if (this.#known(name) === undefined) this.#worlds.delete(name);
  });

  constructor(private readonly texts: PageTexts) {}

  /** The name of a world; it is written out for it once. */
  name(world: World): Named {
    const known = this.#names.get(world);
    if (known !== undefined) return known;
    const texts = new Map<string, string>();
    const written = this.text(world, (name, text) => texts.set(name, text));
    return this.#keep(world, { name: nameOf(written), length: written.length, texts });
  }

  /** The text of a world, by which it has its name. */
  text(world: World, put: PutPart = () => {}): string {
    const form = formOf(world);
    const pages = this.texts.pagesOut(form.pages, put, world);
    return JSON.stringify({ form: { ...form, pages }, beyond: beyondForm(world, emptyWorld) });
  }

  /** The world of a name. `part` is asked for its text where no world of that name is known. */
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
      throw new StoreError('lost', `The part ${name} is damaged: what is kept under that name is something else.`);
    const { form, beyond } = parsed<WrittenWorld>(written, writtenShape, `the part ${name}`);
    const texts = await textsOf(form.pages, part);
    const pages = pagesIn(form.pages, wanted => texts.get(wanted) ?? '');
    const world = withBeyond(worldFrom({ ...form, pages }), beyond);
    this.#keep(world, { name, length: written.length, texts });
    return world;
  }

  #known(name: string): World | undefined {
    return this.#worlds.get(name)?.deref();
  }

  #keep(world: World, named: Named): Named {
    const { name } = named;
    this.#names.set(world, named);
    if (this.#known(name) === undefined) {
      this.#worlds.set(name, new WeakRef(world));
      this.#gone.register(world, name);
    }
    return named;
  }
}

/** The large texts of pages, by the names of their parts. */
export async function textsOf(
  pages: Parameters<typeof partsIn>[0],
  part: (name: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(partsIn(pages))];
  return new Map(await Promise.all(names.map(async name => [name, await part(name)] as const)));
}

function nameOf(written: string): string {
  return `w-${createHash('sha256').update(written).digest('hex')}`;
}
