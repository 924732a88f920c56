// A running course: the model of every sandbox beside the fake, and the comparisons on the way.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Driver } from '../driver.js';
import { ModelSandbox, type Origin } from '../model.js';

/** After this many steps every sandbox is compared, not only the one that was changed. */
const EVERY = 4;
/** From this number on a step uses the sandbox of the previous one. */
const STAYING = 3;

/** A fake that runs a course: the names of its sandboxes are its own, so that others can run beside it. */
export class Place {
  constructor(
    readonly driver: Driver,
    private readonly prefix: string,
  ) {}

  /** The name that a sandbox of the course has in the fake. */
  readonly real = (name: string): string =>
    name === 'default' || this.given.has(name) ? name : `${this.prefix}${name}`;

  private readonly given = new Set<string>();

  /** Registers a name that the fake has assigned. */
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

  /** The sandbox of a name, created by its first request. */
  ensure(name: string): ModelSandbox {
    const sandbox = this.sandboxes.get(name) ?? new ModelSandbox(this.origin);
    this.sandboxes.set(name, sandbox);
    return sandbox;
  }

  /** An existing sandbox, by any number; the greater ones mean that of the last step, so that steps affect each other. */
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

  /** Compares every sandbox, and that there are no others. */
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
  const faults = sandbox.now.faults.map(({ fault, matched, fired }) => ({ ...fault, matched, fired }));
  same(await driver.faults(own), faults, `the faults of ${name}`);
  const snapshots = [...sandbox.snapshots].map(([kept, { version, at }]) => ({ name: kept, version, at }));
  same(await driver.snapshots(own), snapshots, `the snapshots of ${name}`);
  const entries = (await driver.journal(own)).map(({ id, operation, response, fault, before, version }) => {
    return { id, operation, status: response.status, isFault: fault !== undefined, before, version };
  });
  same(
    entries,
    sandbox.journal.map(({ request: _, ...entry }) => entry),
    `the journal of ${name}`,
  );
}

/** Chai searches for the difference only if there is one: it takes many times as long. */
export function same(found: unknown, said: unknown, what: string): void {
  if (!isDeepStrictEqual(found, said)) expect(found, what).to.deep.equal(said);
}
