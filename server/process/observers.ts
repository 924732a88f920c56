// The observers of a session: event feeds, metrics and the log.
import type { Feeds } from '../engine/events/feeds.js';
import type { Holds } from '../engine/faults/holds.js';
import type { Log } from '../engine/log.js';
import type { Observer } from '../engine/session/observer.js';
import { StoreError } from '../engine/store.js';
import type { Metrics } from '../http/metrics/metrics.js';

export function observers(feeds: Feeds, holds: Holds, metrics: Metrics, log: Log): Observer {
  return {
    made: sandbox => {
      metrics.created += 1;
      feeds.changed(sandbox);
    },
    changed: (sandbox, entry) => feeds.changed(sandbox, entry),
    reset: sandbox => {
      holds.release(sandbox.name);
    },
    left: (sandbox, why) => {
      metrics.left[why] += 1;
      holds.release(sandbox.name);
      feeds.left(sandbox.name);
    },
    isHeard: name => feeds.isHeard(name),
    troubled: error => {
      if (error instanceof StoreError) log.warn('the store failed; trying again', { err: error });
      else log.error('a bug in cwx-fake', { err: error });
    },
  };
}
