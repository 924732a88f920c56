// Checks that the courses can fail: each of these fakes has one defect, put between it and the course, and a course finds it.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFake, type Fake } from '../../../server/index.js';
import { go, SCENARIO } from '../../model/courses/trying.js';
import { Driver, REFUSED } from '../../model/driver.js';
import type { Came, ModelFault } from '../../model/model.js';
import { courses } from '../../model/steps.js';

/** Always the same courses, so that finding a defect does not depend on luck: this seed needs few of them. */
const SEED = 4;
const STEPS = 40;

/** Adds a defect to a driver. `as` is the original. */
type Defect = (driver: Driver, as: Driver) => void;

const isTo = (url: string, end: string) => url.split('?')[0]?.endsWith(end) ?? false;
const mapped = (came: Came, change: (status: number, body: unknown) => object): Came =>
  typeof came === 'string' ? came : { ...came, ...change(came.status, came.body) };

/** Arms other faults than requested, silently. */
function arming(driver: Driver, as: Driver, change: (fault: ModelFault) => ModelFault): void {
  const given = new Map<string, ModelFault>();
  driver.arm = (name, faults) => {
    for (const fault of faults) given.set(JSON.stringify(change(fault)), fault);
    return as.arm(name, faults.map(change));
  };
  driver.faults = async name =>
    (await as.faults(name)).map(({ matched, fired, ...fault }) => ({
      ...(given.get(JSON.stringify(fault)) ?? fault),
      matched,
      fired,
    }));
}

const defects: Readonly<Record<string, Defect>> = {
  'a member too many': (driver, as) => {
    const joined = new Set<string>();
    driver.ask = async (request, named) => {
      const came = await as.ask(request, named);
      if (isTo(request.url, '/add-users') && typeof came === 'object' && came.status === 200) joined.add('customers');
      return came;
    };
    driver.world = async (name, at) => {
      const world = await as.world(name, at);
      return world === REFUSED || joined.size === 0
        ? world
        : { ...world, groups: { ...(world.groups as object), customers: ['ghost'] } };
    };
  },
  'a fault that fires one late': (driver, as) =>
    arming(driver, as, one => (one.when?.nth === undefined ? one : { ...one, when: { nth: one.when.nth + 1 } })),
  'a fork that shares its world': (driver, as) => {
    const shared = new Map<string, string>();
    driver.fork = async (name, other, at) => {
      const fork = await as.fork(name, other, at);
      if (fork !== REFUSED) shared.set(fork, name);
      return fork;
    };
    driver.patch = async (name, patch) => {
      for (const [fork, from] of shared) if (from === name) await as.patch(fork, patch).catch(() => undefined);
      return as.patch(name, patch);
    };
  },
  'a journal that loses its third entry': (driver, as) => {
    driver.journal = async name => (await as.journal(name)).filter(({ id }) => id !== 3);
  },
  'a journal whose ids begin anew when it is cleared': (driver, as) => {
    driver.clear = name => as.reset(name);
  },
  'a version that is skipped': (driver, as) => {
    const skipped = new Set<string>();
    driver.restore = async (name, kept) => {
      const came = await as.restore(name, kept);
      if (came !== REFUSED) skipped.add(name);
      return came;
    };
    driver.version = async name => (await as.version(name)) + (skipped.has(name) ? 1 : 0);
  },
  'a reset that leaves the clock': (driver, as) => {
    driver.reset = async name => {
      const now = await as.now(name);
      await as.reset(name);
      driver.now = async other => (other === name ? now : as.now(other));
    };
  },
  'a restore that leaves the readings': (driver, as) => {
    const left = new Map<string, Awaited<ReturnType<Driver['readings']>>>();
    driver.restore = async (name, kept) => {
      left.set(name, await as.readings(name));
      return as.restore(name, kept);
    };
    driver.readings = async name => left.get(name) ?? as.readings(name);
    driver.choose = async (name, readings) => {
      left.delete(name);
      return as.choose(name, readings);
    };
  },
  'a rewinding to the version before': (driver, as) => {
    driver.rewind = (name, to) => as.rewind(name, Math.max(0, to - 1));
  },
  'a snapshot that replaces another without being asked to': (driver, as) => {
    driver.keep = (name, kept) => as.keep(name, kept, true);
  },
  'a past world that is the present one': (driver, as) => {
    driver.world = async (name, at) => ((await as.world(name, at)) === REFUSED ? REFUSED : as.world(name));
  },
  'a difference that lacks the groups': (driver, as) => {
    driver.diff = async (name, from, to) => {
      const came = await as.diff(name, from, to);
      if (came === REFUSED) return came;
      const { groups: _, ...patch } = came.patch;
      return { ...came, patch };
    };
  },
  'readings of a request that do not count': (driver, as) => {
    driver.ask = (request, named) => as.ask({ ...request, readings: undefined }, named);
  },
  'a wrong password that is right': (driver, as) => {
    const right = { kind: 'basic', user: 'carol', password: 'carol' } as const;
    driver.ask = (request, named) => {
      const { credentials: shown } = request;
      const isWrong = shown.kind === 'basic' && shown.user === 'carol';
      return as.ask(isWrong ? { ...request, credentials: right } : request, named);
    };
  },
  'a fault of before that applies the request': (driver, as) => arming(driver, as, one => ({ ...one, phase: 'after' })),
  'a part that is one item too many': (driver, as) =>
    arming(driver, as, one => {
      const { partial } = one.effect;
      return partial === undefined ? one : { ...one, effect: { partial: { succeed: partial.succeed + 1 } } };
    }),
  'messages in another order': (driver, as) => {
    driver.ask = async (request, named) =>
      mapped(await as.ask(request, named), (_, body) => {
        const { success, messages } = (body ?? {}) as { success?: boolean; messages?: string[] };
        return success === false && messages !== undefined
          ? { body: { success, messages: [...messages].reverse() } }
          : {};
      });
  },
  'a 404 in the place of a 400': (driver, as) => {
    driver.ask = async (request, named) =>
      mapped(await as.ask(request, named), status =>
        status === 400 && isTo(request.url, '/pull') ? { status: 404 } : {},
      );
  },
  'leaks that nobody counts': driver => {
    driver.leaks = async () => 0;
  },
  'a patch that reaches another sandbox': (driver, as) => {
    driver.patch = async (name, patch) => {
      for (const other of await as.names()) if (other !== name) await as.patch(other, patch);
      return as.patch(name, patch);
    };
  },
  'an explanation under no other readings': (driver, as) => {
    driver.explain = (name, entry, readings) => as.explain(name, entry, readings && {});
  },
  'a sandbox that is dropped and stays': (driver, as) => {
    driver.drop = name => as.reset(name);
  },
};

describe('courses of a fake with a defect', function () {
  this.timeout(0);
  let fake: Fake;
  before(async () => {
    fake = await createFake({ scenario: SCENARIO });
  });
  after(() => fake.stop());

  for (const [what, defect] of Object.entries(defects)) {
    it(`find ${what}`, async () => {
      const as = new Driver(fake);
      const found = await fc.check(
        fc.asyncProperty(courses(STEPS), async course => {
          const driver = new Driver(fake);
          defect(driver, as);
          await go(driver, course).finally(async () => {
            for (const name of await as.names()) if (name !== 'default') await as.drop(name);
          });
        }),
        { seed: SEED, numRuns: 2000, endOnFailure: true },
      );
      expect(found.failed).to.equal(true);
    });
  }
});
