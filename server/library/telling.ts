// What a fake says of itself and of its documents, the same as over HTTP. What makes the documents is loaded when it is asked for.
import { describe } from '../engine/sandbox/describe.js';
import { controlOpenapi } from '../http/control/document.js';
import { controlEndpoints } from '../http/control/endpoints.js';
import { packageVersion } from '../package.js';
import { listScenarios } from '../scenario/load/load.js';
import { listStates } from '../scenario/states/listed-states.js';
import type { Telling } from './api.js';
import type { Inside } from './inside.js';

export function telling({ assembled, url, check }: Pick<Inside, 'assembled' | 'url' | 'check'>): Telling {
  const { session, folders } = assembled;
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
      once(async () =>
        (await import('../derive/openapi/openapi.js')).openapiOf(session.serverReadings, packageVersion(), {
          root: url,
        }),
      ),
    controlOpenapi: () => once(() => controlOpenapi(controlEndpoints, packageVersion(), url)),
    ledger: () => once(async () => (await import('../scenario/load/shipped-ledger.js')).shippedLedger()),
    guide: () => once(async () => (await import('../derive/guide/guide.js')).guide({ root: url })),
    metrics: () => once(assembled.metrics),
  };
}
