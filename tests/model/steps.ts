// The possible steps of a course: each is done to a fake and to the model, and the results are compared at once.
// Uses a fake only through a driver.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { chosen, faults, HOLD, instants, operations, patches } from './changes.js';
import { type Course, type Place, same } from './courses/course.js';
import { type OrRefused, REFUSED } from './driver.js';
import { ModelSandbox } from './model.js';
import { merged } from './model-world.js';
import type { ModelRequest } from './operations/given.js';
import { reading, requests } from './requests.js';
import { isLike } from './responses.js';

/** Calls `touch` with the sandbox of the step. */
type Act = (course: Course, place: Place, touch: (name: string) => void) => Promise<void>;

/** A step that prints as a call, so that a shrunk course can be read. */
export class Step implements fc.AsyncCommand<Course, Place> {
  /** The sandbox of its last run. */
  #where = '';

  constructor(
    private readonly shown: string,
    private readonly act: Act,
    private readonly isPossible: (course: Course) => boolean = () => true,
  ) {}

  check(course: Course): boolean {
    return this.isPossible(course);
  }

  async run(course: Course, place: Place): Promise<void> {
    await this.act(course, place, name => {
      course.touched = name;
      this.#where = `${name}: `;
    });
    await course.after(place);
  }

  toString(): string {
    return `${this.#where}${this.shown}`;
  }
}

/** A step in one of the existing sandboxes. */
function inOne(
  pick: number,
  shown: string,
  act: (sandbox: ModelSandbox, name: string, place: Place, course: Course) => Promise<void>,
): Step {
  return new Step(
    shown,
    async (course, place, touch) => {
      const [name, sandbox] = course.pick(pick);
      touch(name);
      await act(sandbox, name, place, course);
    },
    course => course.sandboxes.size > 0,
  );
}

/** Mostly an existing version; a missing one for the greatest numbers. */
function past(number: number, { version }: ModelSandbox): number {
  return number < 27 ? number % (version + 1) : version + number - 26;
}

/** Compares with the model whether something was refused. */
function agree(came: unknown, isPossible: boolean, what: string): void {
  expect(came === REFUSED, `${what} is refused`).to.equal(!isPossible);
}

function done<T>(came: OrRefused<T>): T {
  if (came === REFUSED) return expect.fail('it is refused');
  return came;
}

const pick = fc.nat(7);
const names = fc.constantFrom('default', 'a', 'b', 'c');
/** The sandbox of the previous step. */
const HERE = 'here';

async function ask(
  course: Course,
  place: Place,
  name: string,
  request: ModelRequest,
  by: 'path' | 'header',
): Promise<void> {
  const { driver } = place;
  const isNamed = name !== 'default' || by === 'path';
  const own = place.real(name);
  const sent = by === 'path' ? { ...request, url: `/~${own}${request.url}` } : request;
  const sandbox = course.ensure(name);
  const held = heldBy(sandbox);
  const said = sandbox.perform(sent);
  if (!isNamed && course.sandboxes.size > 1) sandbox.leaks += 1;
  const asked = driver.ask(sent, by === 'header' && isNamed ? own : undefined);
  if (heldBy(sandbox) > held) await released(asked, () => driver.release(own, HOLD));
  const came = await asked;
  if (!isLike(said, came)) expect(came, 'the response').to.deep.equal(said);
}

/** How many responses the armed faults have held. */
function heldBy({ now }: ModelSandbox): number {
  return now.faults.reduce((sum, { fault, fired }) => sum + (fault.effect.hold === undefined ? 0 : fired), 0);
}

/** Releases a response as soon as it waits. */
async function released(asked: Promise<unknown>, release: () => Promise<number>): Promise<void> {
  let isOver = false;
  const end = asked.finally(() => {
    isOver = true;
  });
  let count = 0;
  while (count === 0 && !isOver) {
    await setImmediate(); // in process nothing else would give the request its turn
    count = await release();
  }
  await end;
  expect(count, 'the response was held').to.equal(1);
}

function requestText({ method, url, credentials, body, readings }: ModelRequest): string {
  const who = credentials.kind === 'basic' ? `${credentials.user}:${credentials.password}` : credentials.kind;
  const what = 'text' in body ? body.text : body.kind;
  return `${method} ${url} ${what} as ${who}${readings === undefined ? '' : ` under ${readings}`}`;
}

const asking = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: fc.constant(HERE) }, { weight: 1, arbitrary: names }),
    requests,
    fc.constantFrom('path' as const, 'header' as const),
  )
  .map(([name, request, by]) => {
    const shown = `${requestText(request)}, named by ${by}`;
    return new Step(shown, (course, place, touch) => {
      const own = name === HERE ? course.touched : name;
      touch(own);
      return ask(course, place, own, request, by);
    });
  });

const makings = fc.record({ readings: chosen, clock: instants }, { requiredKeys: [] });
const making = fc.tuple(fc.option(names, { nil: undefined }), makings, fc.boolean()).map(
  ([name, how, isReplacing]) =>
    new Step(`${isReplacing ? 'replace' : 'create'} ${name} ${JSON.stringify(how)}`, async (course, place) => {
      const isNew = name === undefined || isReplacing || !course.sandboxes.has(name);
      const made = new ModelSandbox({ ...course.origin, ...how });
      if (name !== undefined && isReplacing) await place.driver.replace(place.real(name), how);
      else {
        const came = await place.driver.create(name && place.real(name), how);
        agree(came, isNew, 'the creation');
        if (name === undefined) course.sandboxes.set(place.took(done(came)), made);
      }
      if (name !== undefined && isNew) course.sandboxes.set(name, made);
    }),
);

const dropping = pick.map(at =>
  inOne(at, 'drop', async (_, name, { driver, real }, course) => {
    course.sandboxes.delete(name);
    expect(await driver.drop(real(name))).to.not.equal(REFUSED);
  }),
);

const forking = fc
  .tuple(pick, fc.option(names, { nil: undefined }), fc.option(fc.nat(30), { nil: undefined }))
  .map(([at, as, version]) =>
    inOne(at, `fork as ${as} at ${version}`, async (sandbox, name, place, course) => {
      const then = version === undefined ? undefined : past(version, sandbox);
      const forked = sandbox.fork(then);
      const isNew = forked !== undefined && !(as !== undefined && course.sandboxes.has(as));
      const came = await place.driver.fork(place.real(name), as && place.real(as), then);
      agree(came, isNew, 'the fork');
      if (isNew) course.sandboxes.set(as ?? place.took(done(came)), forked);
    }),
  );

const resetting = pick.map(at =>
  inOne(at, 'reset', async (sandbox, name, { driver, real }) => {
    sandbox.reset();
    await driver.reset(real(name));
  }),
);

const kept = fc.constantFrom('s', 'snapshot-1', 'snapshot-2');
const keeping = fc.tuple(pick, fc.option(kept, { nil: undefined }), fc.boolean()).map(([at, as, isReplacing]) =>
  inOne(at, `keep ${as}${isReplacing ? ' anew' : ''}`, async (sandbox, name, { driver, real }) => {
    const { version, now } = sandbox;
    const said = sandbox.keep(as, isReplacing);
    const came = await driver.keep(real(name), as, isReplacing);
    agree(came, said !== undefined, 'the snapshot');
    if (said !== undefined) expect(came).to.deep.equal({ name: said, version, at: now.clock });
  }),
);

type Going = 'restore' | 'dropSnapshot';
const going = fc.tuple(pick, fc.constantFrom<Going>('restore', 'dropSnapshot'), kept).map(([at, how, as]) =>
  inOne(at, `${how} ${as}`, async (sandbox, name, { driver, real }) => {
    agree(await driver[how](real(name), as), sandbox[how](as), how);
  }),
);

const rewinding = fc.tuple(pick, fc.nat(30)).map(([at, version]) =>
  inOne(at, `rewind to ${version}`, async (sandbox, name, { driver, real }) => {
    const to = past(version, sandbox);
    agree(await driver.rewind(real(name), to), sandbox.rewind(to), 'the rewinding');
  }),
);

const patching = fc.tuple(pick, patches).map(([at, patch]) =>
  inOne(at, `patch ${JSON.stringify(patch)}`, async (sandbox, name, { driver, real }) => {
    agree(await driver.patch(real(name), patch), sandbox.patch(patch), 'the patch');
  }),
);

const choosing = fc
  .tuple(
    pick,
    chosen,
    fc.nat(9).map(n => n === 9),
  )
  .map(([at, readings, isOdd]) =>
    inOne(
      at,
      `choose ${JSON.stringify(readings)}${isOdd ? ' and one that is none' : ''}`,
      async (sandbox, name, { driver, real }) => {
        const odd = isOdd ? { 'no-change': 'perhaps' } : {};
        agree(
          await driver.choose(real(name), { ...readings, ...odd }),
          !isOdd && sandbox.choose(readings),
          'the choice',
        );
        same(await driver.readings(real(name)), sandbox.readings(), 'the readings');
      },
    ),
  );

const arming = fc.tuple(pick, fc.array(faults, { maxLength: 3 })).map(([at, list]) =>
  inOne(at, `arm ${JSON.stringify(list)}`, async (sandbox, name, { driver, real }) => {
    agree(await driver.arm(real(name), list), sandbox.arm(list), 'the arming');
  }),
);

/** A fault, directly followed by requests that match it until it is due: by chance they seldom meet. */
const breaking = fc.tuple(pick, requests, faults).map(([at, request, { operation: _, effect, ...rest }]) => {
  const [path = ''] = request.url.split('?');
  const isRefused = effect.status !== undefined && effect.status < 400; // where nothing is, that would be a stub
  const isElsewhere = isRefused || (effect.partial !== undefined && !/(push|pull)$/.test(path));
  const fault = { ...rest, path, effect: isElsewhere ? ({ hangUp: true } as const) : effect };
  const shown = `arm ${JSON.stringify(fault)} and ask ${requestText(request)}`;
  return inOne(at, shown, async (sandbox, name, place, course) => {
    agree(await place.driver.arm(place.real(name), [fault]), sandbox.arm([fault]), 'the arming');
    for (let i = effect.rateLimit?.limit ?? 0; i >= 0; i -= 1) await ask(course, place, name, request, 'path');
  });
});

const turning = fc
  .tuple(pick, fc.oneof(instants, fc.constantFrom(0, 1, 3600, 0.5), fc.constant(undefined)))
  .map(([at, to]) =>
    inOne(at, `turn ${to ?? 'to stand'}`, async (sandbox, name, { driver, real }) => {
      sandbox.turn(to);
      await driver.turn(
        real(name),
        to === undefined ? { freeze: true } : typeof to === 'string' ? { set: to } : { advance: to },
      );
    }),
  );

const clearing = pick.map(at =>
  inOne(at, 'clear the journal', async (sandbox, name, { driver, real }) => {
    sandbox.clear();
    await driver.clear(real(name));
  }),
);

const verifying = fc.tuple(pick, fc.constantFrom(...operations), fc.nat(1)).map(([at, operation, more]) =>
  inOne(at, `verify ${operation} +${more}`, async (sandbox, name, { driver, real }) => {
    const asked = sandbox.journal.filter(entry => entry.operation === operation).length;
    expect(await driver.verify(real(name), operation, asked + more), 'the verdict').to.equal(more === 0);
  }),
);

const others = fc.array(reading, { minLength: 1, maxLength: 10, size: 'max' }).map(list => Object.assign({}, ...list));
const explaining = fc.tuple(pick, fc.nat(4), others).map(([at, back, other]) =>
  inOne(at, `explain ${back} back under ${JSON.stringify(other)}`, async (sandbox, name, { driver, real }) => {
    const entry = sandbox.journal.at(-1 - back);
    if (entry === undefined) return agree(await driver.explain(real(name), 99_999), false, 'the explanation');
    const { response, under } = done(await driver.explain(real(name), entry.id, other));
    expect(response.status).to.equal(entry.status);
    if (entry.isFault || sandbox.at(entry.before)?.faults.length !== 0) return;
    const said = sandbox.would(entry.request, entry.before, other);
    if (!isLike(said, under?.response)) expect(under?.response, 'what it would be').to.deep.equal(said);
  }),
);

const comparing = fc.tuple(pick, fc.nat(30), fc.nat(30)).map(([at, one, two]) =>
  inOne(at, `compare ${one} with ${two}`, async (sandbox, name, { driver, real }) => {
    const [from, to] = [past(one, sandbox), past(two, sandbox)];
    const [then, other] = [sandbox.world(from), sandbox.world(to)];
    const came = await driver.diff(real(name), from, to);
    agree(came, then !== undefined && other !== undefined, 'the difference');
    if (came === REFUSED) return;
    same(merged(then, came.patch), other, 'the difference');
    const versions = new Set(came.changes.map(({ version }) => version));
    expect(versions.size, 'as many versions').to.equal(Math.abs(to - from));
  }),
);

const readingPast = fc.tuple(pick, fc.nat(30)).map(([at, version]) =>
  inOne(at, `world at ${version}`, async (sandbox, name, { driver, real }) => {
    const then = past(version, sandbox);
    same(await driver.world(real(name), then), sandbox.world(then) ?? REFUSED, `the world at ${then}`);
  }),
);

/** Courses of at most this many steps. `replayPath`: that of a failure, to repeat it. */
export function courses(maxCommands: number, replayPath?: string) {
  const most = [keeping, going, patching, choosing, arming, breaking].flatMap(step => [step, step]);
  const some = [forking, resetting, rewinding, explaining, comparing, readingPast];
  const few = [making, dropping, turning, clearing, verifying];
  const asked = Array.from({ length: 25 }, () => asking);
  return fc.commands<Course, Place>([...asked, ...most, ...some, ...few], {
    maxCommands,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
}
