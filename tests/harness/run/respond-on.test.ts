// What answers on a world alone answers as the whole server does: each request of the suite and of the probes, and what a host is asked for.
import { expect } from 'chai';
import { respondOn } from '../../../harness/run/faulty-server.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { worldDifference } from '../../../server/domain/form/difference.js';
import type { World } from '../../../server/domain/world/world.js';
import { injecting } from '../../../server/library/port/inject.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { chosenReadings } from '../../../server/operations/gaps/profiles.js';
import type { Assembled } from '../../../server/process/server.js';
import { Player } from '../../../server/scenario/play/player.js';
import type { Received } from '../../../server/scenario/play/target.js';
import { scenariosFor } from '../../support/other-servers/conforming.js';
import { fakeUnder, smallTeam } from '../../support/other-servers/outside.js';

const telling: SomeReadings = {
  'no-change': '409',
  'ppf-no-change': 'message',
  'sidebar-duplicate': '409',
  'replace-not-found': '404',
};
const clock = '2026-01-01T00:00:00Z';
/** They belong to the connection. */
const ofServer: ReadonlySet<string> = new Set(['x-request-id', 'content-length', 'connection', 'date']);

/** A sandbox of the whole server and a world beside it, which get the same requests. */
class Both {
  readonly #context;
  answered = 0;

  private constructor(
    private readonly fake: Assembled,
    private readonly name: string,
    public world: World,
    readings: SomeReadings,
  ) {
    this.#context = { readings: chosenReadings({ readings }), now: clock };
  }

  static async begin(fake: Assembled, name: string, world: World, readings: SomeReadings): Promise<Both> {
    await fake.session.create(name, { ...fake.loaded.origin, world, readings, clock });
    return new Both(fake, name, world, readings);
  }

  async ask(request: HttpRequest): Promise<Received> {
    const whole = await injecting(this.fake.app)({
      ...request,
      headers: { ...request.headers, 'X-Fake-Sandbox': this.name },
    });
    const { response, after } = respondOn({ ...this.#context, world: this.world }, request);
    const where = `${this.name}: ${request.method} ${request.path}`;
    const text = whole.text.replaceAll(`/~${this.name}`, ''); // links name the sandbox
    expect({ ...response, headers: told(response) }, where).to.deep.equal({
      status: whole.status,
      headers: told(whole),
      text,
    });
    const there = this.#worldThere();
    expect(after === this.world, where).to.equal(there === this.world);
    expect(worldDifference(there, after), where).to.deep.equal({});
    this.world = there;
    this.answered += 1;
    return whole;
  }

  #worldThere(): World {
    const sandbox = this.fake.session.sandboxes.peek(this.name);
    if (sandbox === undefined) throw new Error('the sandbox is gone');
    return sandbox.state.world;
  }
}

function told({ headers }: Received): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofServer.has(name) && !name.startsWith('x-fake-')),
  );
}

describe('a response on a world', () => {
  const { suite, probes } = scenariosFor();

  it('is that of the whole server, for all steps of the suite and the probes', async () => {
    const fake = await fakeUnder({});
    let answered = 0;
    for (const [i, { loaded }] of [...suite, ...probes].entries()) {
      const readings = i % 2 === 0 ? {} : telling;
      const both = await Both.begin(fake, `file-${i}`, loaded.origin.world, readings);
      const target = { url: '', context: '', send: (sent: HttpRequest) => both.ask(sent), close: async () => {} };
      const player = new Player(loaded, target, { known: readings, run: 'RUN1' });
      for await (const _ of player.all()); // each response is compared when it is given
      answered += both.answered;
      await fake.session.drop(`file-${i}`);
    }
    fake.end();
    expect(answered).to.be.greaterThan(250);
  });

  const basic = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
  const json = { 'Content-Type': 'application/json' };
  const path = '/rest/cwx-ppf/latest/push';
  const odd: readonly HttpRequest[] = [
    { method: 'GET', path: '/rest/api/content?spaceKey=ds&limit=1', headers: basic },
    { method: 'GET', path: '/somewhere', headers: {} },
    { method: 'GET', path: '/rest/api/content/%zz', headers: basic },
    { method: 'PATCH', path, headers: basic },
    { method: 'OPTIONS', path, headers: {} },
    { method: 'HEAD', path: '/rest/api/space/ds', headers: basic },
    { method: 'POST', path, headers: { ...json, Authorization: 'Basic !' }, body: '{}' },
    ...[undefined, '', '{', new Uint8Array([255])].map(body => ({
      ...{ method: 'POST', path, headers: { ...basic, ...json } },
      ...(body !== undefined && { body }),
    })),
    { method: 'POST', path, headers: { ...basic, 'Content-Type': 'text/plain' }, body: '{}' },
    { method: 'POST', path, headers: { ...basic, 'X-Fake-Reading': 'no-change=maybe' } },
  ];
  it('is that of the whole server for odd requests', async () => {
    const fake = await fakeUnder({});
    for (const [i, request] of odd.entries())
      await (await Both.begin(fake, `odd-${i}`, smallTeam().origin.world, {})).ask(request);
    fake.end();
  });
});
