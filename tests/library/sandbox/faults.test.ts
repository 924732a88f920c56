// Faults in a program: arming and listing them, and the effect of a broken connection on fetch and the typed client, with a
// socket and without.
import { expect } from 'chai';
import { createFake, type Fault, type Sandbox, startFake } from '../../../server/index.js';
import { effects } from '../../support/worlds/effects.js';
import { failure } from '../../support/worlds/failure.js';
import { until } from '../../support/worlds/until.js';
import { useFake } from '../../support/worlds/use-fake.js';

const HOUR = 3_600_000;
const PUSH = '/rest/cwx-ppf/latest/push';
const pushing = { users: ['alice'], filters: [10500] };
const asking = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer admin-token' },
  body: JSON.stringify(pushing),
};
const whole = '{"success":true,"messages":[]}';

for (const [kind, make] of Object.entries({ startFake, createFake })) {
  describe(`the faults of a sandbox of ${kind}`, () => {
    const fake = useFake(make);
    let sandbox: Sandbox;
    beforeEach(() => {
      sandbox = fake.sandbox();
    });
    const arm = (fault: Omit<Fault, 'operation' | 'path'>) => sandbox.faults.set([{ operation: 'ppf.push', ...fault }]);
    const favourites = async () => (await sandbox.world()).favourites.alice?.filters;

    it('change the responses of the typed client', async () => {
      const client = sandbox.client('admin');
      await arm({ effect: { status: 503, retryAfter: 2 } });
      const busy = await client.ppf.push({ body: pushing });
      expect(busy).to.include({ ok: false, status: 503, message: 'Injected fault.' });
      expect(busy.headers).to.include({ 'retry-after': '2', 'x-fake-fault': '1 status retryAfter' });
      await arm({ effect: { partial: { succeed: 0 } } });
      const partial = await client.ppf.push({ body: pushing });
      expect(partial.body).to.deep.equal({ success: false, messages: ['Could not push filter with id 10500'] });
      expect({ ok: partial.ok, favourites: await favourites() }).to.deep.equal({ ok: true, favourites: [] });
    });

    for (const effect of [{ hangUp: true }, { truncateAt: 3 }] as const) {
      it(`make the typed client reject as fetch does: ${JSON.stringify(effect)}`, async () => {
        await arm({ phase: 'after', times: 1, effect });
        const error = await failure(sandbox.client('admin').ppf.push({ body: pushing }), TypeError);
        expect(error.message).to.equal('fetch failed');
        expect((error.cause as Error).message).to.match(/^the fake does not respond: the connection (?:ended|closed) /);
        expect(await favourites()).to.deep.equal([10500]);
        expect((await sandbox.client('admin').ppf.push({ body: pushing })).status).to.equal(200);
      });
    }

    it('let fetch see the head of a response whose body does not end', async () => {
      await arm({ effect: { truncateAt: 3, status: 503, headers: { 'X-A': 'b' } } });
      const response = await sandbox.fetch(PUSH, asking);
      expect({ status: response.status, xA: response.headers.get('x-a') }).to.deep.equal({ status: 503, xA: 'b' });
      const error = await failure(response.text(), TypeError);
      expect(error.message).to.equal('terminated');
      expect((error.cause as Error).message).to.match(/ended in the middle of the response$/);
    });

    it('leave nothing pending after the client gives up on a delayed response', async () => {
      const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
      await arm({ effect: { delay: HOUR } });
      const before = timers();
      const leaving = new AbortController();
      const late = failure(sandbox.fetch(PUSH, { ...asking, signal: leaving.signal }), DOMException);
      await until(() => timers() > before);
      leaving.abort();
      expect((await late).name).to.equal('AbortError');
      await until(() => timers() <= before);
      expect(await favourites(), 'it was applied when it came').to.deep.equal([10500]);
    });

    for (const effect of [{ delay: HOUR }, { dribble: { bytes: 3, every: HOUR } }] as const) {
      it(`end at once when the fake stops: ${JSON.stringify(effect)}`, async () => {
        const own = await make();
        const held = own.sandbox();
        await held.faults.set([{ operation: 'ppf.push', effect }]);
        const late = held.fetch(PUSH, asking).then(response => response.text());
        await until(async () => (await held.journal()).length === 1);
        await own.stop();
        expect(await late).to.equal(whole);
      });
    }

    it('are not named in the responses of a fake without explanations', async () => {
      const own = await make({ explain: false });
      const held = own.sandbox();
      await held.faults.set([{ operation: 'ppf.push', effect: { status: 500 } }]);
      const { status, headers } = await held.client('admin').ppf.push({ body: pushing });
      expect(status).to.equal(500);
      expect(Object.keys(headers).filter(name => name.startsWith('x-fake'))).to.deep.equal([]);
      expect((await held.journal()).map(({ fault }) => fault)).to.deep.equal(['1 status']);
      await own.stop();
    });
  });
}

describe('a broken connection', () => {
  const fake = useFake(startFake);

  /** How a request ends, as a program sees it. */
  const seen = async (ask: () => Promise<Response>) => {
    try {
      const response = await ask();
      const headers = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
      const { status, statusText, ok } = response;
      return { status, statusText, ok, headers, text: await response.text().catch(kindOf) };
    } catch (error) {
      return kindOf(error);
    }
  };
  const kindOf = (error: unknown) => (error instanceof TypeError ? [error.name, error.message] : error);

  /** Headers about the request and its fault. */
  const own = /\["x-(?:fake-\w+|request-id)","[^"]*"\],?/g;
  const ofTime = ['delay', 'hold', 'dribble'];
  for (const effect of effects.filter(one => !ofTime.includes(Object.keys(one).join())))
    it(`changes what the client sees: ${JSON.stringify(effect)}`, async () => {
      const sandbox = fake.sandbox();
      const body = JSON.stringify({ users: ['alice'], filters: [10500], dashboards: [11000] });
      const push = async () =>
        JSON.stringify(await seen(() => sandbox.fetch(PUSH, { ...asking, body }))).replace(own, '');
      const plain = await push();
      await sandbox.reset();
      await sandbox.faults.set([{ operation: 'ppf.push', effect }]);
      expect(await push(), 'inject in server/engine/faults/injection.ts').to.not.equal(plain);
    });

  const several: ReadonlyArray<Fault['effect']> = [
    ...effects.filter(effect => effect.hold === undefined), // nobody releases it
    { hangUp: true, delay: 1 },
    { truncateAt: 0 },
    { truncateAt: 5, status: 503, retryAfter: 1, dribble: { bytes: 2, every: 1 } },
    { status: 204 },
    { status: 599, body: 'x' },
  ];
  for (const effect of several) {
    it(`is the same over a socket and within the process: ${JSON.stringify(effect)}`, async () => {
      const sandbox = fake.sandbox();
      const armed = () => sandbox.faults.set([{ operation: 'ppf.push', effect }]);
      await armed();
      const over = await seen(() => fetch(`${sandbox.url}${PUSH}`, asking));
      await sandbox.reset();
      await armed();
      expect(await seen(() => sandbox.fetch(PUSH, asking))).to.deep.equal(over);
    });
  }
});
