// A course on its way: the model of every sandbox beside the fake in which it is gone, and what is compared as it goes.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { ControlDriver } from './driver.js';
import { ModelSandbox, type Origin } from './model.js';

/** After so many steps every sandbox is looked at, and not only the one that was touched. */
const EVERY = 4;
/** From this number on a step stays where the last one was. */
const STAYING = 3;

/** Where a course is gone: the names of its sandboxes are its own, so that others may be gone beside it. */
export class Place {
  constructor(
    readonly driver: ControlDriver,
    private readonly prefix: string,
  ) {}

  /** The name that a sandbox of the course has in the fake. */
  readonly real = (name: string): string =>
    name === 'default' || this.given.has(name) ? name : `${this.prefix}${name}`;

  private readonly given = new Set<string>();

  /** Takes in a name that the fake has given. */
  took(name: string): string {
    this.given.add(name);
    return name;
  }
}

export class Course {
  readonly sandboxes = new Map<string, ModelSandbox>();
  /** The sandbox of the last step. */
  touched = 'default';
  #steps = 0;

  constructor(readonly origin: Origin) {
    this.ensure('default');
  }

  /** The sandbox of a name, which is created when it is first asked. */
  ensure(name: string): ModelSandbox {
    const sandbox = this.sandboxes.get(name) ?? new ModelSandbox(this.origin);
    this.sandboxes.set(name, sandbox);
    return sandbox;
  }

  /** One of those that there are, by any number; the greater ones mean that of the last step, so that steps have to do with each other. */
  pick(number: number): readonly [name: string, sandbox: ModelSandbox] {
    const last = this.sandboxes.get(this.touched);
    if (number >= STAYING && last !== undefined) return [this.touched, last];
    const all = [...this.sandboxes];
    return all[number % all.length] ?? expect.fail('there is no sandbox');
  }

  async after(place: Place): Promise<void> {
    this.#steps += 1;
    if (this.#steps % EVERY === 0) return this.compareAll(place);
    const sandbox = this.sandboxes.get(this.touched);
    if (sandbox !== undefined) await compare(place, this.touched, sandbox);
  }

  /** Every sandbox, and that there are no others. */
  async compareAll(place: Place): Promise<void> {
    for (const [name, sandbox] of this.sandboxes) await compare(place, name, sandbox);
    const names = [...this.sandboxes.keys()].map(place.real);
    expect([...(await place.driver.names())].sort(), 'the sandboxes').to.deep.equal(names.sort());
    if (this.sandboxes.has('default'))
      expect(await place.driver.leaks(), 'leaks').to.equal(this.sandboxes.get('default')?.leaks);
  }
}

async function compare({ driver, real }: Place, name: string, sandbox: ModelSandbox): Promise<void> {
  const own = real(name);
  same(await driver.world(own), sandbox.world(), `the world of ${name}`);
  same(await driver.version(own), sandbox.version, `the version of ${name}`);
  same(await driver.now(own), sandbox.now.clock, `the clock of ${name}`);
  same(await driver.readings(own), sandbox.readings(), `the readings of ${name}`);
  const faults = sandbox.now.faults.map(({ fault, ...counts }) => ({ ...fault, ...counts }));
  same(await driver.faults(own), faults, `the faults of ${name}`);
  const snapshots = [...sandbox.snapshots].map(([kept, { version, at }]) => ({ name: kept, version, at }));
  same(await driver.snapshots(own), snapshots, `the snapshots of ${name}`);
  const entries = (await driver.journal(own)).map(({ id, operation, answer, fault, before, version }) => {
    return { id, operation, status: answer.status, isFault: fault !== undefined, before, version };
  });
  same(
    entries,
    sandbox.journal.map(({ request: _, ...entry }) => entry),
    `the journal of ${name}`,
  );
}

/** Chai looks for the difference only where there is one: it takes many times as long. */
export function same(found: unknown, said: unknown, what: string): void {
  if (!isDeepStrictEqual(found, said)) expect(found, what).to.deep.equal(said);
}
