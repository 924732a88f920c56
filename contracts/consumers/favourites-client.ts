// A small client that gives favourite filters and dashboards to people, and takes them away again.
// Relies on what the document promises: 200 with success and messages, 400 for what is missing, 403 for who may not.
import type { Client, ResponseTo } from '../../server/library/client/calls.js';

/** Who gets or loses what. What is left out is not sent. */
export interface Favourites {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  /** By id, as the dashboards. */
  readonly filters?: readonly number[];
  readonly dashboards?: readonly number[];
}

export interface Outcome {
  /** Whether all of it was done. */
  readonly done: boolean;
  /** What was not, in words for people. */
  readonly problems: readonly string[];
}

/** The tracker turned the request away. */
export class TurnedAway extends Error {
  override readonly name = 'TurnedAway';

  constructor(
    readonly why: 'nothing to do' | 'not permitted' | 'something else',
    status: number,
  ) {
    super(`the tracker answered ${status}: ${why}`);
  }
}

export class FavouritesClient {
  constructor(private readonly tracker: Client) {}

  async give(favourites: Favourites): Promise<Outcome> {
    return outcomeOf(await this.tracker.ppf.push({ body: favourites }));
  }

  async take(favourites: Favourites): Promise<Outcome> {
    return outcomeOf(await this.tracker.ppf.pull({ body: favourites }));
  }
}

function outcomeOf(response: ResponseTo<'ppf.push'> | ResponseTo<'ppf.pull'>): Outcome {
  if (response.ok) return { done: response.body.success, problems: response.body.messages };
  if (response.status === 400) throw new TurnedAway('nothing to do', 400);
  // Who asks without credentials gets 403 by the document; Confluence and Jira send 401. To a user it is the same.
  if (response.status === 403 || response.status === 401) throw new TurnedAway('not permitted', response.status);
  throw new TurnedAway('something else', response.status);
}
