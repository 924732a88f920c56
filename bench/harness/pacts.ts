// Pact files of any number of interactions, made from those of tests/pacts: each interaction again and again under another description,
// the same number of times as the others. No two expectations are written alike, so that nothing is judged once for several. Verifies nothing.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './places.js';

interface Interaction {
  readonly description: string;
  readonly request: { readonly query?: unknown };
  readonly response: object;
}

interface Pact {
  readonly interactions: readonly Interaction[];
}

const sources = join(process.cwd(), 'tests', 'pacts');

/** The paths of pact files with this many interactions in all, of every version. They hold. */
export function pactsOf(count: number): string[] {
  const folder = join(scratch, `pacts-${count}`);
  mkdirSync(folder, { recursive: true });
  const pacts = readdirSync(sources)
    .filter(name => name.endsWith('.json'))
    .map(name => ({ name, pact: JSON.parse(readFileSync(join(sources, name), 'utf8')) as Pact }));
  const all = pacts.flatMap(({ name, pact }) => pact.interactions.filter(isDocumented).map(one => ({ name, one })));
  const made = Array.from({ length: count }, (_, i) => {
    const { name, one } = all[i % all.length] as (typeof all)[number]; // within its length
    return { name, one: { ...one, description: `${one.description}, ${i}`, response: { ...one.response, copy: i } } };
  });
  return pacts.map(({ name, pact }) => {
    const path = join(folder, name);
    const interactions = made.filter(other => other.name === name).map(({ one }) => one);
    writeFileSync(path, JSON.stringify({ ...pact, interactions }));
    return path;
  });
}

/** Without a parameter twice, of which the document knows nothing: verify would not let that pass. */
function isDocumented({ request: { query } }: Interaction): boolean {
  const parameters = typeof query === 'string' ? [...new URLSearchParams(query).keys()] : queryNames(query);
  return new Set(parameters).size === parameters.length;
}

function queryNames(query: unknown): string[] {
  return Object.entries((query ?? {}) as Record<string, readonly string[]>).flatMap(([name, values]) =>
    values.map(() => name),
  ); // as version 3 has it
}
