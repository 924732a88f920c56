// Warnings about flags of `serve` that open what is closed by default.

import { ANY_HOST } from '../http/guards/host-guard.js';
import { isLoopback } from '../server.js';
import type { Settings } from '../settings.js';

/** One line for each. */
export function opened({ allowedHosts, control, host }: Settings): string[] {
  return [
    ...(allowedHosts.includes(ANY_HOST)
      ? [
          `WARNING: --allow-host ${ANY_HOST}: this server answers every Host, so any web page open in a browser on this network can reach it (DNS rebinding)`,
        ]
      : []),
    ...(control === 'open' && !isLoopback(host)
      ? [
          `WARNING: --control open: anyone who can reach ${host} can control this server and read its journal, without a token`,
        ]
      : []),
  ];
}
