// The first version of a small client of the wiki: it reads what is answered, and so breaks where nothing is.
import { type Adding, askToAdd } from './adding.js';

/** Adds users to a group and gives the answer, an object. Throws where it is refused, and where the answer is no JSON. */
export async function addUsers(wiki: string, adding: Adding): Promise<object> {
  const answer = await askToAdd(wiki, adding);
  if (!answer.ok) throw new Error(`the wiki answers ${answer.status}`);
  return (await answer.json()) as object; // that is what this version takes for granted
}
