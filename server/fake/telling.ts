// What a fake says of itself and of its documents, the same as over HTTP. What makes the documents is loaded when it is asked for.
import type { Assembled } from '../assemble.js';
import { describe } from '../engine/description.js';
import { controlOpenapi } from '../http/control/document.js';
import { controlEndpoints } from '../http/control/endpoints.js';
import { packageVersion } from '../package.js';
import { listStates } from '../scenario/listed-states.js';
import { listScenarios } from '../scenario/load.js';
import type { Telling } from './face.js';

/** `check` fails once the fake has been stopped. */
export function telling({ session, folders, ...assembled }: Assembled, check: () => void): Telling {
  const once = async <T>(tell: () => T | Promise<T>): Promise<T> => {
    check();
    return tell();
  };
  const now = session.settings.machineTime;
  return {
    health: () => once(assembled.health),
    scenarios: () => once(() => listScenarios(folders)),
    states: () => once(() => listStates(folders)),
    sandboxes: () => once(async () => (await session.all()).map(sandbox => describe(sandbox, now()))),
    openapi: () =>
      once(async () => (await import('../derive/openapi.js')).openapiOf(session.serverReadings, packageVersion())),
    controlOpenapi: () => once(() => controlOpenapi(controlEndpoints, packageVersion())),
    ledger: () => once(async () => (await import('../scenario/shipped-ledger.js')).shippedLedger()),
    guide: () => once(async () => (await import('../derive/guide.js')).guide()),
    metrics: () => once(assembled.metrics),
  };
}
