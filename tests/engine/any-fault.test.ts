// Any fault that can be written: it is refused with its place, or has exactly its documented effects each time it is tried.
import { expect } from 'chai';
import fc from 'fast-check';
import { FakeError, type Fault } from '../../server/index.js';
import { useFake } from '../support/worlds/use-fake.js';

const pushing = { users: ['alice'], filters: [10500], dashboards: [11000] };
const asking = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer admin-token' },
  body: JSON.stringify(pushing),
};
const small = fc.integer({ min: 0, max: 2 });
const parts = {
  delay: fc.oneof(small, fc.tuple(small, small)),
  status: fc.oneof(fc.constantFrom(200, 204, 205, 302, 304, 401, 503, 599), fc.integer({ min: 200, max: 599 })),
  headers: fc.dictionary(
    fc.constantFrom('X-A', 'X-B', 'content-type', 'Retry-After', 'Content-Length', 'a b'),
    fc.constantFrom('b', '', 'text/x', 'a\r\nb', 'ü'),
    { maxKeys: 2 },
  ),
  body: fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
  retryAfter: fc.nat(9),
  hangUp: fc.constant(true),
  truncateAt: fc.nat(100),
  garble: fc.constant(true),
  dribble: fc.record({ bytes: fc.integer({ min: 20, max: 99 }), every: fc.constant(1) }),
  partial: fc.record({ succeed: fc.nat(3) }),
};
const names = Object.keys(parts) as Array<keyof typeof parts>; // keys of the enclosing object
const effects = fc
  .subarray(names, { minLength: 1, maxLength: 4 })
  .chain(chosen => fc.record(Object.fromEntries(chosen.map(name => [name, parts[name]]))));
const faults = fc.record(
  {
    operation: fc.constant('ppf.push'),
    times: fc.constant(1),
    phase: fc.constantFrom('before', 'after'),
    effect: effects,
  },
  { requiredKeys: ['operation', 'times', 'effect'] },
);

type Came = { readonly status: number; readonly text: string } | 'no response' | 'cut short';

describe('any fault', () => {
  const fake = useFake();

  it('is refused, or has its effects and no others', async () => {
    let armed = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(faults, async given => {
        const fault = given as Fault; // an invalid fault is refused
        const sandbox = fake.sandbox();
        const error: unknown = await sandbox.faults.set([fault]).catch(reason => reason);
        if (error !== undefined) {
          expect(error).to.be.instanceOf(FakeError);
          for (const { pointer } of (error as FakeError).problems) expect(pointer).to.match(/^\/faults\/0\/effect\//);
          refused += 1;
          return;
        }
        armed += 1;
        const ask = async (): Promise<Came> => {
          const response = await sandbox.fetch('/rest/cwx-ppf/latest/push', asking).catch(() => 'no response' as const);
          if (response === 'no response') return response;
          const text = await response.text().catch(() => undefined);
          return text === undefined ? 'cut short' : { status: response.status, text };
        };
        const came = await ask();
        const { status, body, retryAfter, garble, hangUp, truncateAt, partial } = fault.effect;
        const isOther = [status, body, retryAfter, garble].some(part => part !== undefined);
        if (came === 'no response') expect(hangUp).to.equal(true);
        else expect(hangUp).to.equal(undefined);
        if (came === 'cut short') expect(truncateAt).not.to.equal(undefined);
        if (typeof came === 'object') {
          expect(came.status).to.equal(status ?? (retryAfter === undefined ? 200 : 503));
          if (truncateAt !== undefined) expect(Buffer.byteLength(came.text)).to.be.at.most(truncateAt);
          if (garble) expect(() => JSON.parse(came.text)).to.throw();
          else if (typeof body === 'string') expect(came.text).to.equal(body);
          else if (body !== undefined) expect(came.text).to.equal(JSON.stringify(body));
        }
        const isApplied = fault.phase === 'after' || (!isOther && typeof came === 'object');
        const many = isApplied ? Math.min(2, partial?.succeed ?? 2) : 0;
        const { alice } = (await sandbox.world()).favourites;
        expect(alice).to.deep.equal({
          filters: [10500].slice(0, many),
          dashboards: [11000].slice(0, Math.max(0, many - 1)),
        });
        const [entry] = await sandbox.journal();
        expect(entry?.fault).to.equal(`1 ${Object.keys(fault.effect).join(' ')}`);
        expect(await sandbox.faults.list()).to.deep.equal([{ ...written(fault), matched: 1, fired: 1 }]);
        expect(await ask()).to.deep.equal({ status: 200, text: '{"success":true,"messages":[]}' });
        await sandbox.drop();
      }),
      { numRuns: 150 },
    );
    expect(armed, 'armed').to.be.above(10);
    expect(refused, 'refused').to.be.above(10);
  });
});

/** The value after a round trip through JSON, which has no negative zero. */
function written(fault: Fault): Fault {
  return JSON.parse(JSON.stringify(fault)) as Fault; // equal apart from that
}
