// Calibrates a served fake over real connections as any other server: without its control API and the headers that explain responses.
import { expect } from 'chai';
import { anyServer } from '../../../harness/target/any-server.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { calibrated, calibrating, fresh, responsesOf } from '../../support/other-servers/calibrating.js';
import { serving } from '../../support/wire/server.js';

const strict: SomeReadings = {
  'context-path': '/wiki',
  'wiki-prefix': 'bare',
  'heading-methods': 'none',
  'wiki-auth': 'admin',
  'wiki-success': 'no-content',
  'wiki-error-body': 'empty',
  'no-change': '409',
  'set-users-empty': '400',
  'replace-not-found': '404',
  'ppf-partial': 'all-or-nothing',
  'bad-credentials': '403',
};

describe('calibrating a served fake', () => {
  for (const [where, base, context, some] of [
    ['below a context path, with strict readings', '/wiki', '/wiki', strict],
    ['in a sandbox', '/~mine', '', {}],
  ] satisfies ReadonlyArray<readonly [string, string, string, SomeReadings]>)
    it(`finds the same ${where} as in process`, async () => {
      const reading = Object.entries(some).map(([gap, value]) => `${gap}=${value}`);
      const running = await serving('small-team', { reading });
      const server = anyServer(`${running.url}${base}`);
      const asked: string[] = [];
      const send = (request: HttpRequest) => {
        asked.push(`${request.path} ${Object.keys(request.headers).join(' ')}`);
        return server.send(request);
      };
      try {
        const inProcess = responsesOf(await calibrating(fresh(some), { context }));
        expect(responsesOf(await calibrated({ ...server, send }))).to.deep.equal(inProcess);
        for (const [gap, value] of Object.entries(some)) expect([inProcess[gap]].flat(), gap).to.include(value);
      } finally {
        await server.close();
        await running.stop();
      }
      expect(asked).to.have.length.greaterThan(100);
      expect(asked.filter(text => /_fake|x-fake/i.test(text))).to.deep.equal([]);
    });
});
