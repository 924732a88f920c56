// The keys of one node that match a pattern.
import type { ServerNode } from './node.js';

/** Keys scanned in one step, so that millions do not block the engine. */
const AT_ONCE = '1000';

export async function namesOn(node: ServerNode, pattern: string): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const reply = await node.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', AT_ONCE]);
    const [next, found] = reply as [string, string[]]; // the format of SCAN's answer
    for (const name of found) names.push(name);
    cursor = next;
  } while (cursor !== '0');
  return names;
}
