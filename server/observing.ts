// Who hears what happens in a session: those who listen to its sandboxes, and the tally.
import type { Feeds } from './engine/feeds.js';
import type { Observer } from './engine/observer.js';
import type { Tally } from './http/tally.js';

export function observing(feeds: Feeds, tally: Tally): Observer {
  return {
    made: () => tally.made(),
    answered: (sandbox, entry) => feeds.tell(sandbox, entry),
    resetting: sandbox => tally.resetting(sandbox),
    left: (sandbox, why) => tally.leaving(sandbox, why),
  };
}
