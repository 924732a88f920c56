// Every endpoint of the control API, in the order of its document.
import { aboutEndpoints } from './about.js';
import { capsuleEndpoints } from './capsules.js';
import { clockEndpoints } from './clocks.js';
import { coverageEndpoints } from './coverage.js';
import type { ControlEndpoint } from './endpoint.js';
import { eventEndpoints } from './events.js';
import { explanationEndpoints } from './explanations.js';
import { faultEndpoints } from './faults.js';
import { historyEndpoints } from './history.js';
import { journalEndpoints } from './journals.js';
import { metricsEndpoints } from './metrics.js';
import { playEndpoints } from './play.js';
import { providerStateEndpoints } from './provider-states.js';
import { sandboxEndpoints } from './sandboxes.js';
import { snapshotEndpoints } from './snapshots.js';
import { verificationEndpoints } from './verification.js';
import { worldEndpoints } from './worlds.js';

export const controlEndpoints: readonly ControlEndpoint[] = [
  ...aboutEndpoints,
  ...sandboxEndpoints,
  ...worldEndpoints,
  ...snapshotEndpoints,
  ...historyEndpoints,
  ...clockEndpoints,
  ...faultEndpoints,
  ...playEndpoints,
  ...journalEndpoints,
  ...verificationEndpoints,
  ...explanationEndpoints,
  ...capsuleEndpoints,
  ...eventEndpoints,
  ...providerStateEndpoints,
  ...metricsEndpoints,
  ...coverageEndpoints,
];
