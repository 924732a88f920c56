// A world as the text of a fixture: YAML with a record in each line, as the shipped fixtures are written.
import type { Json, JsonObject } from '../client/wire.js';
import { isJsonObject } from '../parts/changes/change.js';

/** JSON is YAML, so no quoting of our own is needed. */
export function fixtureText(world: JsonObject, sandbox: string): string {
  const parts = Object.entries(world).map(([name, part]) => partText(name, part));
  return `# The world of the sandbox ${sandbox}, saved by the dashboard: serve it with cwx-fake serve ./<this file>.\n${parts.join('')}`;
}

function partText(name: string, part: Json): string {
  if (!isJsonObject(part) || name === 'licence') return `${name}: ${JSON.stringify(part)}\n`;
  const records = Object.entries(part);
  if (records.length === 0) return `${name}: {}\n`;
  return `${name}:\n${records.map(([key, record]) => `  ${JSON.stringify(key)}: ${JSON.stringify(record)}\n`).join('')}`;
}
