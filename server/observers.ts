// Who hears what happens in a session: those who listen to its sandboxes, the tally, and the log.
import type { Feeds } from './engine/events/feeds.js';
import type { Observer } from './engine/events/observer.js';
import type { Log } from './engine/log.js';
import { StoreError } from './engine/store.js';
import type { Tally } from './http/metrics.js';

export function observing(feeds: Feeds, tally: Tally, log: Log): Observer {
  return {
    made: sandbox => {
      tally.made();
      feeds.wake(sandbox.name);
    },
    answered: (sandbox, entry) => feeds.tell(sandbox, entry),
    changed: ({ name }) => feeds.wake(name),
    resetting: sandbox => tally.resetting(sandbox),
    left: (sandbox, why) => {
      tally.leaving(sandbox, why);
      feeds.wake(sandbox.name);
    },
    isHeard: name => feeds.isHeard(name),
    troubled: error => {
      if (error instanceof StoreError) log.warn('the store did not do something that is done again', { err: error });
      else log.error('a bug of this server', { err: error });
    },
  };
}
