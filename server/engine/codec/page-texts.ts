// Large page texts as separate parts, so that a text is stored once, however many worlds, changes and entries contain it.
import { createHash } from 'node:crypto';
import { isObject } from '../../domain/form/patch.js';
import type { Page, World } from '../../domain/world.js';
import type { Change } from '../sandbox/state.js';
import type { PartText, PutPart } from '../store.js';

/** Texts with at least this many characters become parts. */
const LARGE = 2 ** 15;
const FIELDS = ['title', 'body'] as const;
const NAME = /^t-[0-9a-f]{64}$/;

/** The placeholder of a large text. */
interface TextPart {
  readonly part: string;
}

/** Pages by id, or patches of some pages. */
type Pages = Readonly<Record<string, unknown>>;

export class PageTexts {
  /** Texts of pages that are in use. */
  readonly #names = new WeakMap<Page, { readonly title?: string; readonly body?: string }>();
  /** A change and its journal entry are written one after the other. */
  #latest = { text: '', name: '' };

  /** The changes without their large texts, which go to `put`; the same list if there are none. */
  changesOut(changes: readonly Change[], put: PutPart): readonly unknown[] {
    return changes.some(change => isLarge(change)) ? changes.map(change => this.#changeOut(change, put)) : changes;
  }

  /** The same for pages. `world`: where they are. */
  pagesOut(pages: Pages, put: PutPart, world?: World): Pages {
    const large = Object.entries(pages).filter(([, page]) => hasLarge(page));
    if (large.length === 0) return pages;
    const out = large.map(([id, page]) => [id, this.#pageOut(page, put, world?.pages.get(id))]);
    return { ...pages, ...Object.fromEntries(out) };
  }

  #changeOut(change: Change, put: PutPart): unknown {
    if (change.type === 'page-text-replaced') return this.#pageOut(change, put);
    if (change.type !== 'world-patched' || !isObject(change.patch.pages)) return change;
    return { ...change, patch: { ...change.patch, pages: this.pagesOut(change.patch.pages, put) } };
  }

  #pageOut(page: unknown, put: PutPart, of?: Page): unknown {
    if (!isObject(page)) return page;
    const parts = FIELDS.flatMap(field => {
      const text = page[field];
      if (!isLargeText(text)) return [];
      const part = this.#nameOf(text, field, of);
      put(part, text);
      return [[field, { part } satisfies TextPart]];
    });
    return { ...page, ...Object.fromEntries(parts) };
  }

  #nameOf(text: string, field: (typeof FIELDS)[number], of: Page | undefined): string {
    const names = of?.[field] === text ? this.#names.get(of) : undefined;
    const known = names?.[field];
    if (known !== undefined) return known;
    if (this.#latest.text !== text)
      this.#latest = { text, name: `t-${createHash('sha256').update(text).digest('hex')}` };
    const { name } = this.#latest;
    if (of?.[field] === text) this.#names.set(of, { ...names, [field]: name });
    return name;
  }
}

function isLarge(change: Change): boolean {
  if (change.type === 'page-text-replaced') return hasLarge(change);
  return change.type === 'world-patched' && Object.values(change.patch.pages ?? {}).some(hasLarge);
}

function hasLarge(page: unknown): boolean {
  return isObject(page) && (isLargeText(page.title) || isLargeText(page.body));
}

function isLargeText(value: unknown): value is string {
  return typeof value === 'string' && value.length >= LARGE;
}

/** The changes with their texts from `part`. */
export function changesIn<T extends Change>(changes: readonly T[], part: PartText): readonly T[] {
  return changes.map(change => {
    if (change.type === 'page-text-replaced') return pageIn(change, part) as T; // its shape has been checked, and a text fits
    if (change.type !== 'world-patched' || !isObject(change.patch.pages)) return change;
    return { ...change, patch: { ...change.patch, pages: pagesIn(change.patch.pages, part) } };
  });
}

/** The pages with their texts. */
export function pagesIn<T extends Pages>(pages: T, part: PartText): T {
  if (partsIn(pages).length === 0) return pages;
  return { ...pages, ...Object.fromEntries(Object.entries(pages).map(([id, page]) => [id, pageIn(page, part)])) };
}

/** The parts in pages. */
export function partsIn(pages: Pages): readonly string[] {
  return Object.values(pages).flatMap(page =>
    isObject(page) ? FIELDS.map(field => page[field]).flatMap(text => (isTextPart(text) ? [text.part] : [])) : [],
  );
}

function pageIn(page: unknown, part: PartText): unknown {
  if (!isObject(page)) return page;
  const parts = FIELDS.flatMap(field => {
    const text = page[field];
    return isTextPart(text) ? [[field, part(text.part)]] : [];
  });
  return parts.length === 0 ? page : { ...page, ...Object.fromEntries(parts) };
}

/** Whether a value is the placeholder of a text. */
export function isTextPart(value: unknown): value is TextPart {
  return isObject(value) && typeof value.part === 'string' && NAME.test(value.part);
}
