// Calibrates a served fake over real connections, without anything only a fake has: the control API and the headers that explain responses.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { calibrate } from '../../../server/remote/calibrate/calibrate.js';
import { anyServer } from '../../../server/remote/target/any-server.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { answersOf, calibrating, fakes, unmapped } from '../../support/other-servers/calibrating.js';
import { serving } from '../../support/wire/server.js';

const shut = { control: 'off', 'no-explain': true } as const;

async function calibrated(target: Target): Promise<Record<string, unknown>> {
  try {
    return answersOf(await calibrate(target, unmapped, { run: 'K3F9Z2' }));
  } finally {
    await target.close();
  }
}

describe('calibrating a served fake', function () {
  this.timeout(30_000);

  for (const [where, base, some] of [
    ['as it comes', '', {}],
    [
      'below a context path, where as much is refused as can be',
      '/wiki',
      {
        'context-path': '/wiki',
        'wiki-prefix': 'bare',
        'heading-methods': 'none',
        'wiki-auth': 'admin',
        'wiki-success': 'no-content',
        'wiki-error-body': 'empty',
        'unknown-field': '400',
        'no-change': '409',
        'set-users-empty': '400',
        'sidebar-duplicate': '409',
        'replace-not-found': '404',
        'expand-unknown': '400',
        'ppf-no-change': 'message',
        'ppf-unknown-item': '400',
        'ppf-partial': 'all-or-nothing',
        'ppf-error-body': 'empty',
        'bad-credentials': '403',
        'content-type': '415',
      },
    ],
    [
      'without a context path, below the other prefix, where as little is refused as can be',
      '',
      {
        'context-path': 'none',
        'wiki-prefix': 'rest-api',
        'view-post': 'add',
        'wiki-success': 'empty',
        'unknown-user': 'skip',
        'unknown-group': 'create',
        'missing-field': 'empty',
        'space-key-format': 'any',
        'is-unique-answer': 'status',
        'is-unique-match': 'both',
        'ppf-empty-arrays': 'present',
        'ppf-invisible-item': 'push-anyway',
        'ppf-effect': 'record-only',
      },
    ],
    ['in a sandbox of it', '/~mine', {}],
  ] satisfies ReadonlyArray<readonly [string, string, SomeReadings]>) {
    it(`${where}: finds everything that is found in process`, async () => {
      const reading = Object.entries(some).map(([gap, value]) => `${gap}=${value}`);
      const running = await serving('small-team', { ...shut, reading });
      const all = await fakes();
      try {
        const context = base.startsWith('/~') ? '' : base;
        const inProcess = answersOf(await calibrating(await all.fresh(some), context));
        expect(await calibrated(anyServer(`${running.url}${base}`))).to.deep.equal(inProcess);
        for (const [gap, value] of Object.entries(some)) expect([inProcess[gap]].flat(), gap).to.include(value);
      } finally {
        all.assembled.end();
        await running.stop();
      }
    });
  }

  it('calls no control API and chooses no readings, though the fake has both', async () => {
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
    await running.stop();
    expect(asked).to.have.length.greaterThan(100);
    expect(asked.filter(text => /_fake|x-fake/i.test(text))).to.deep.equal([]);
  });
});
