// The types of merge-patches of a world.
import type { CollectionName, SparseForm, WorldForm } from '../../domain/form/form-shapes.js';

/** A merge-patch (RFC 7396): objects are merged by key, `null` removes a key, lists are replaced. */
type MergePatch<T> = T extends readonly (infer Element)[]
  ? readonly Element[]
  : T extends object
    ? { readonly [Key in keyof T]?: MergePatch<T[Key]> | null }
    : T;

/** A change of a world. Existing records are merged; a new record needs all required fields. */
export type TypedPatch = {
  readonly [C in CollectionName]?: { readonly [key: string]: MergePatch<SparseForm<C>> | null };
} & {
  readonly licence?: MergePatch<WorldForm['licence']>;
  readonly nextPageId?: number;
};

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;

/** A complete world: lists of names sorted where order has no meaning, ids as keys. */
export type WrittenWorld = ReadOnly<WorldForm>;
