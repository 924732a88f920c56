// The names of the keys of one node that look like a pattern. Knows nothing of what they are for.
import type { ServerNode } from './node.js';

/** As many as it looks at in one step, so that it is not held up by millions. */
const AT_ONCE = '1000';

export async function namesOn(node: ServerNode, pattern: string): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const reply = await node.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', AT_ONCE]);
    const [next, found] = reply as [string, string[]]; // as SCAN answers
    for (const name of found) names.push(name);
    cursor = next;
  } while (cursor !== '0');
  return names;
}
