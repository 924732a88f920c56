// The second version of a small client of the wiki: it checks only whether the status is a success.
import { type Adding, askToAdd } from './adding.js';

/** Adds users to a group. Throws if it is refused. */
export async function addUsers(wiki: string, adding: Adding): Promise<void> {
  const response = await askToAdd(wiki, adding);
  if (!response.ok) throw new Error(`the wiki answers ${response.status}`);
}
