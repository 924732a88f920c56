// Random courses of one sandbox: requests as the model sends them, wrong credentials, and changes from behind.
import fc from 'fast-check';
import { chosen, faults, patches } from '../../model/changes.js';
import type { Driver } from '../../model/driver.js';
import type { ModelRequest } from '../../model/operations/given.js';
import { requests } from '../../model/requests.js';

type Step = (driver: Driver, sandbox: string) => Promise<unknown>;

const wrong = fc.constantFrom<ModelRequest['credentials']>(
  { kind: 'basic', user: 'carol', password: 'wrong-secret' },
  { kind: 'basic', user: 'nobody', password: 'wrong-secret' },
  { kind: 'bearer', token: 'wrong-secret' },
);
const asking = fc
  .tuple(
    requests,
    fc.option(wrong, { freq: 8 }).map(credentials => ({ ...(credentials && { credentials }) })),
  )
  .map(([request, more]): Step => {
    return (driver, sandbox) => driver.ask({ ...request, ...more }, sandbox);
  });

const behind: fc.Arbitrary<Step> = fc.oneof(
  fc.oneof(patches, fc.constant({ users: { bob: { password: 'a-secret' } } })).map(
    (patch): Step =>
      (driver, sandbox) =>
        driver.patch(sandbox, patch),
  ),
  chosen.map(
    (readings): Step =>
      (driver, sandbox) =>
        driver.choose(sandbox, readings),
  ),
  fc
    .array(
      faults.filter(({ effect }) => effect.hold === undefined), // nobody releases it
      { maxLength: 2 },
    )
    .map(
      (armed): Step =>
        (driver, sandbox) =>
          driver.arm(sandbox, armed),
    ),
  fc.constant<Step>((driver, sandbox) => driver.keep(sandbox, 's', true)),
  fc.nat(3).map(
    (back): Step =>
      async (driver, sandbox) => {
        return driver.rewind(sandbox, Math.max(0, (await driver.version(sandbox)) - back));
      },
  ),
);

/** Up to so many steps, most of them requests. */
export const courses = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.oneof({ weight: 6, arbitrary: asking }, behind), { minLength: 1, maxLength });
