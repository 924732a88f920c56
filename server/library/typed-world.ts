// The merge-patch of a world with its types, for who writes one in a program. Shapes only: what a patch does is the domain's business.
import type { CollectionName, SparseForm, WorldForm } from '../domain/form/form-shapes.js';

/** A merge-patch (RFC 7396): objects merge key by key, `null` takes a key away, lists are replaced. */
type MergePatch<T> = T extends readonly (infer Element)[]
  ? readonly Element[]
  : T extends object
    ? { readonly [Key in keyof T]?: MergePatch<T[Key]> | null }
    : T;

/** What changes in a world. A record that is there is merged with what is said of it; of a new one all that is due must be said. */
export type TypedPatch = {
  readonly [C in CollectionName]?: { readonly [key: string]: MergePatch<SparseForm<C>> | null };
} & {
  readonly licence?: MergePatch<WorldForm['licence']>;
  readonly nextPageId?: number;
};

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;

/** A world, fully written out: lists of names sorted where order means nothing, ids as keys. */
export type WrittenWorld = ReadOnly<WorldForm>;
