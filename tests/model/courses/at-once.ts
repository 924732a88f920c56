// Concurrent requests to several sandboxes: each sandbox behaves as if they came one after another, in the order of its journal.
import { expect } from 'chai';
import fc from 'fast-check';
import { chosen, faults } from '../changes.js';
import type { Driver } from '../driver.js';
import { type Came, type ModelFault, ModelSandbox } from '../model.js';
import type { ModelRequest } from '../operations/given.js';
import type { ModelReadings } from '../readings.js';
import { requests } from '../requests.js';
import { isLike } from '../responses.js';
import { origin, type Trying, tryAll } from './trying.js';

/** The requests and changes of one sandbox. */
interface Burst {
  readonly readings: ModelReadings;
  readonly faults: readonly ModelFault[];
  readonly asked: readonly ModelRequest[];
}
const bursts: fc.Arbitrary<readonly Burst[]> = fc.array(
  fc.record({
    readings: chosen,
    faults: fc.array(
      faults.filter(({ caller, effect }) => caller !== 'nobody' && effect.hold === undefined),
      { maxLength: 2 },
    ),
    asked: fc.array(requests, { maxLength: 12, size: 'max' }),
  }),
  { minLength: 2, maxLength: 4 },
);

let tried = 0;

/** The same request with an ignored mark in its query, which identifies its journal entry. */
function marked(request: ModelRequest, name: string, i: number): ModelRequest {
  const { url } = request;
  return { ...request, url: `/~${name}${url}${url.includes('?') ? '&' : '?'}mark=${i}` };
}

async function burst(driver: Driver, all: readonly Burst[]): Promise<void> {
  tried += 1;
  const places = all.map((one, i) => ({ ...one, name: `burst${tried}-${i}` }));
  for (const { name, readings, faults: armed } of places) {
    await driver.replace(name, { readings });
    await driver.arm(name, armed);
  }
  const came = await Promise.all(
    places.map(({ name, asked }) => Promise.all(asked.map((request, i) => driver.ask(marked(request, name, i))))),
  );
  for (const [i, place] of places.entries()) {
    await compare(driver, place, came[i] ?? []);
    await driver.drop(place.name);
  }
}

async function compare(driver: Driver, place: Burst & { name: string }, came: readonly Came[]): Promise<void> {
  const { name, readings, faults: armed, asked } = place;
  const model = new ModelSandbox({ ...origin, readings });
  model.arm(armed);
  const journal = await driver.journal(name);
  expect(journal.length, `the journal of ${name}`).to.equal(asked.length);
  for (const { url, id, before, version } of journal) {
    const i = Number(/mark=(\d+)$/.exec(url)?.[1]);
    const request = asked[i] ?? expect.fail(`the journal has ${url}`);
    const said = model.perform(marked(request, name, i));
    if (!isLike(said, came[i])) expect(came[i], `the response to ${url}`).to.deep.equal(said);
    expect({ id, before, version }).to.deep.include({ before: model.journal.at(-1)?.before, version: model.version });
  }
  expect(await driver.world(name), `the world of ${name}`).to.deep.equal(model.world());
  expect(await driver.version(name), `the version of ${name}`).to.equal(model.version);
}

export const tryAtOnce = (driver: Driver, trying: Trying) =>
  tryAll(
    fc.asyncProperty(bursts, all => burst(driver, all)),
    trying,
    ([all]) => ({ lines: all.map(one => JSON.stringify(one)) }),
  );
