// How a query compares with the parameters of an endpoint: for operations, resources, actions, the journal and the check against the document.
import type { Fields } from '../../operations/schema.js';
import type { Query } from './request.js';

export interface QueryNames {
  /** The values of each name, in the order sent. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** Names that the endpoint does not have. */
  readonly unknown: readonly string[];
  /** Parameters of the endpoint that are not sent. */
  readonly missing: readonly string[];
  readonly repeated: readonly string[];
}

/** `others`: further allowed names. */
export function queryNames(pairs: Query['pairs'], fields: Fields = {}, others: readonly string[] = []): QueryNames {
  const sent = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = sent.get(name);
    if (values === undefined) sent.set(name, [value]);
    else values.push(value);
  }
  const names = [...sent.keys()];
  return {
    sent,
    unknown: names.filter(name => !Object.hasOwn(fields, name) && !others.includes(name)),
    missing: Object.keys(fields).filter(name => !sent.has(name)),
    repeated: names.filter(name => (sent.get(name)?.length ?? 0) > 1),
  };
}
