// The first version of a small client of the wiki: it parses the response, and so breaks if the body is empty.
import { type Adding, askToAdd } from './adding.js';

/** Adds users to a group and returns the response, an object. Throws if it is refused or no JSON. */
export async function addUsers(wiki: string, adding: Adding): Promise<object> {
  const response = await askToAdd(wiki, adding);
  if (!response.ok) throw new Error(`the wiki answers ${response.status}`);
  return (await response.json()) as object; // this version takes that for granted
}
