// Faults that hold responses, and rate limits: in process and over HTTP.
import { expect } from 'chai';
import { createFake, FakeError, type Sandbox, startFake } from '../../../server/index.js';
import { basic } from '../../support/wire/server.js';
import { failure } from '../../support/worlds/failure.js';
import { until } from '../../support/worlds/until.js';
import { useFake } from '../../support/worlds/use-fake.js';

const PATH = '/rest/api/2/myself';
const alice = { Authorization: basic('alice', 'alice') };
const carol = { Authorization: basic('carol', 'carol') };

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`held responses and rate limits of a sandbox of ${kind}`, () => {
    const fake = useFake(make);
    let sandbox: Sandbox;
    beforeEach(() => {
      sandbox = fake.sandbox();
    });
    const ask = (headers: Record<string, string>) =>
      kind === 'startFake' ? fetch(sandbox.url + PATH, { headers }) : sandbox.fetch(PATH, { headers });
    const arrived = (many: number) => until(async () => (await sandbox.journal()).length === many);

    /** A response, and whether it is there. */
    const begun = () => {
      const state = { isThere: false };
      const status = ask(alice).then(response => {
        state.isThere = true;
        return response.status;
      });
      return { state, status };
    };

    it('holds responses until they are released, and later ones again', async () => {
      await sandbox.faults.set([{ path: PATH, effect: { hold: 'spinner' } }]);
      const first = begun();
      const second = begun();
      await arrived(2);
      await fake.sandbox('other').version(); // something else is answered meanwhile
      for (const { state } of [first, second]) expect(state.isThere).to.equal(false);
      expect(await sandbox.faults.release('spinner')).to.equal(2);
      for (const { status } of [first, second]) expect(await status).to.equal(200);
      const third = begun();
      await arrived(3);
      expect(third.state.isThere).to.equal(false);
      expect(await sandbox.faults.release('spinner')).to.equal(1);
      expect(await third.status).to.equal(200);
      expect((await sandbox.journal()).map(({ fault }) => fault)).to.deep.equal(['1 hold', '1 hold', '1 hold']);
    });

    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      'a reset': () => sandbox.reset(),
      'a drop': () => sandbox.drop(),
      'a release after its fault was cleared': async () => {
        await sandbox.faults.clear();
        await sandbox.faults.release('spinner');
      },
    };
    for (const [what, end] of Object.entries(ends))
      it(`sends a held response after ${what}`, async () => {
        await sandbox.faults.set([{ path: PATH, effect: { hold: 'spinner', status: 503 } }]);
        const { status } = begun();
        await arrived(1);
        await end();
        expect(await status).to.equal(503);
      });

    const limitOf = async (caller: Record<string, string>) => {
      const { status, headers } = await ask(caller);
      expect(headers.get('x-ratelimit-limit')).to.equal('2');
      expect(headers.get('x-ratelimit-fillrate')).to.equal('2');
      expect(headers.get('x-ratelimit-interval-seconds')).to.equal('60');
      return { status, remaining: headers.get('x-ratelimit-remaining'), retryAfter: headers.get('retry-after') };
    };

    it('limits the requests of each caller, by the clock of the sandbox', async () => {
      await sandbox.clock.set('2026-01-05T09:00:00Z');
      await sandbox.faults.set([{ path: PATH, effect: { rateLimit: { limit: 2, window: 60 } } }]);
      expect(await limitOf(alice)).to.deep.equal({ status: 200, remaining: '1', retryAfter: null });
      await sandbox.clock.advance(20.5);
      expect(await limitOf(alice)).to.deep.equal({ status: 200, remaining: '0', retryAfter: null });
      expect(await limitOf(alice)).to.deep.equal({ status: 429, remaining: '0', retryAfter: '40' });
      expect(await limitOf(carol)).to.deep.equal({ status: 200, remaining: '1', retryAfter: null });
      await sandbox.clock.advance(39);
      expect(await limitOf(alice)).to.deep.equal({ status: 429, remaining: '0', retryAfter: '1' });
      await sandbox.clock.advance(0.5);
      expect(await limitOf(alice)).to.deep.equal({ status: 200, remaining: '1', retryAfter: null });
      const [{ matched, fired } = { matched: 0, fired: 0 }] = await sandbox.faults.list();
      expect({ matched, fired }).to.deep.equal({ matched: 6, fired: 2 });
    });

    it('keeps what was used in snapshots, and forgets it on a reset of the counts', async () => {
      const faults = [{ path: PATH, effect: { rateLimit: { limit: 1, window: 60 } } }] as const;
      await sandbox.clock.freeze();
      await sandbox.faults.set(faults);
      const status = async () => (await ask(alice)).status;
      expect([await status(), await status()]).to.deep.equal([200, 429]);
      await sandbox.snapshot('used');
      await sandbox.faults.set(faults);
      expect([await status(), await status()]).to.deep.equal([200, 429]);
      await sandbox.faults.set(faults);
      await sandbox.restore('used');
      expect(await status()).to.equal(429);
    });
  });
}

describe('a rate limit', () => {
  const fake = useFake();

  it('counts the requests that an earlier fault answers, and leaves Retry-After to the limit that refused', async () => {
    const sandbox = fake.sandbox();
    await sandbox.clock.freeze();
    await sandbox.faults.set([
      { path: PATH, when: { nth: 2 }, effect: { status: 500 } },
      { path: PATH, effect: { rateLimit: { limit: 1, window: 9 }, status: 503, body: { busy: true } } },
    ]);
    const seen = [];
    for (let i = 0; i < 3; i += 1) {
      const response = await sandbox.fetch(PATH, { headers: alice });
      seen.push([response.status, response.headers.get('retry-after'), response.headers.get('x-ratelimit-remaining')]);
    }
    expect(seen).to.deep.equal([
      [200, null, '0'],
      [500, null, '0'],
      [503, '9', '0'],
    ]);
  });

  it('is recorded as its refusal', async () => {
    const sandbox = fake.sandbox();
    await sandbox.clock.freeze();
    await sandbox.faults.set([{ path: PATH, effect: { rateLimit: { limit: 1, window: 9 } } }]);
    for (let i = 0; i < 2; i += 1) await sandbox.fetch(PATH, { headers: alice });
    expect(await sandbox.record()).to.match(/status: 429,?\s+retryAfter: 9/);
  });

  it('refuses parts that exclude it', async () => {
    const rateLimit = { limit: 1, window: 1 };
    for (const [fault, says] of [
      [{ when: { nth: 1 }, effect: { rateLimit } }, 'omit it'],
      [{ phase: 'after', effect: { rateLimit } }, 'omit "phase: after"'],
      [{ effect: { rateLimit, retryAfter: 1 } }, 'omit retryAfter'],
      [{ effect: { rateLimit, hangUp: true } }, 'rateLimit has no effect'],
    ] as const)
      expect((await failure(fake.sandbox().faults.set([{ path: PATH, ...fault }]), FakeError)).message).to.contain(
        says,
      );
  });
});
