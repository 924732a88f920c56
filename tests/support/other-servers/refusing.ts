// A server of which one operation always refuses: calibrating it must give no gap a reading that it does not follow.
import { expect } from 'chai';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { operations } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, type GapId, layReadings, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { calibrating, fresh, type Responding } from './calibrating.js';

const others: SomeReadings = {
  'no-change': '409',
  'ppf-no-change': 'message',
  'unknown-user': 'skip',
  'unknown-group': 'create',
  'unknown-page': '400',
  'unknown-space': '400',
  'wiki-auth': 'admin',
  'is-unique-answer': 'status',
  'is-unique-match': 'both',
  'replace-scope': 'first',
  'replace-order': 'simultaneous',
  'replace-not-found': '404',
  'view-post': 'remove',
  'missing-field': 'empty',
  'unknown-field': '400',
  'space-key-format': 'any',
  'ppf-invisible-item': 'push-anyway',
  'ppf-anonymous': '401',
};

/** Refuses with each status that means something else elsewhere. */
export async function expectNothingFalse({ method, path, family }: (typeof operations)[number]): Promise<void> {
  const place = new RegExp(`${path.replace(/\{\w+\}/, '[^/?]+')}(\\?|$)`);
  const isIt = (request: HttpRequest) =>
    request.method === method && place.test(request.path) && request.path.includes('/cwx-ppf/') === (family === 'ppf');
  let asked = 0;
  for (const status of [400, 401, 403, 404, 405, 409, 415, 500]) {
    for (const some of [400, 404, 409].includes(status) ? [{}, others] : [{}]) {
      const readings = layReadings(defaultReadings, some);
      const send = fresh(some);
      const serverResponse: Responding = async request => {
        if (!isIt(request)) return send(request);
        asked++;
        return { status, headers: {}, text: '' };
      };
      const calibration = await calibrating(serverResponse);
      for (const [gap, reading] of Object.entries(calibration.readings))
        expect(reading, `${gap}, where it answers ${status}`).to.equal(readings[gap as GapId]);
    }
  }
  expect(asked, 'requests to it').to.be.greaterThan(0);
}
