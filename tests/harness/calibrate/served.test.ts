// Calibrates a served fake over real connections, without the control API and the headers that explain responses.
import { expect } from 'chai';
import { anyServer } from '../../../harness/target/any-server.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Target } from '../../../server/scenario/play/target.js';
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
  for (const [where, base, some] of [
    ['with its defaults', '', {}],
    ['below a context path, with strict readings', '/wiki', strict],
    ['below another prefix', '', { 'context-path': 'none', 'wiki-prefix': 'rest-api', 'unknown-group': 'create' }],
    ['in a sandbox', '/~mine', {}],
  ] satisfies ReadonlyArray<readonly [string, string, SomeReadings]>) {
    it(`finds the same ${where} as in process`, async () => {
      const reading = Object.entries(some).map(([gap, value]) => `${gap}=${value}`);
      const running = await serving('small-team', { control: 'off', 'no-explain': true, reading });
      const target = anyServer(`${running.url}${base}`);
      try {
        const context = base.startsWith('/~') ? '' : base;
        const inProcess = responsesOf(await calibrating(fresh(some), { context }));
        expect(responsesOf(await calibrated(target))).to.deep.equal(inProcess);
        for (const [gap, value] of Object.entries(some)) expect([inProcess[gap]].flat(), gap).to.include(value);
      } finally {
        await target.close();
        await running.stop();
      }
    });
  }

  it('uses neither its control API nor its reading headers', async () => {
    const running = await serving('small-team');
    const server = anyServer(running.url);
    const asked: string[] = [];
    const target: Target = {
      ...server,
      send: request => {
        asked.push(`${request.path} ${Object.keys(request.headers).join(' ')}`);
        return server.send(request);
      },
    };
    await calibrated(target);
    await target.close();
    await running.stop();
    expect(asked).to.have.length.greaterThan(100);
    expect(asked.filter(text => /_fake|x-fake/i.test(text))).to.deep.equal([]);
  });
});
