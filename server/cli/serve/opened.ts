// What the flags of `serve` open that is closed by default, in words that nobody overlooks. Opens nothing itself.

import { ANY_HOST } from '../../http/guards/host-guard.js';
import { isLoopback } from '../../server.js';
import type { Settings } from '../../settings.js';

/** A line for each. */
export function opened({ allowedHosts, control, host }: Settings): string[] {
  return [
    ...(allowedHosts.includes(ANY_HOST)
      ? [
          `WARNING: --allow-host ${ANY_HOST}: every Host is answered, so a web page that a browser on this network has open can reach this server under a name of its own`,
        ]
      : []),
    ...(control === 'open' && !isLoopback(host)
      ? [`WARNING: --control open: whoever reaches ${host} can steer this server and read its journal, without a token`]
      : []),
  ];
}
