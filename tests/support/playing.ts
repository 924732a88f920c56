// Plays the calls of a loaded scenario without a server, as far as it takes to know that a scenario tells the truth.
// Knows nothing of raw requests, faults and captured values.
import { isDeepStrictEqual } from 'node:util';
import { collection } from '../../server/domain/form.js';
import type { CollectionName } from '../../server/domain/form-shapes.js';
import type { World } from '../../server/domain/world.js';
import type { Credentials } from '../../server/engine/request.js';
import { defaultReadings, layReadings } from '../../server/operations/gaps.js';
import type { As, Step } from '../../server/scenario/step-format.js';
import type { Loaded } from '../../server/scenario/story.js';
import { type Asked, ask } from './ask.js';

/** What came of a step: the answer, and each way in which it was not what the step expects. */
export interface Played {
  readonly step: Step;
  readonly asked: Asked;
  readonly differences: readonly string[];
}

/** Plays every call of a scenario, each in the world that the one before has left. */
export function playCalls({ origin, steps }: Loaded): Played[] {
  let { world } = origin;
  const played: Played[] = [];
  for (const step of steps) {
    if (step.call === undefined) continue;
    const asked = askStep(step, world, origin.readings, origin.clock);
    world = asked.world;
    played.push({ step, asked, differences: differencesOf(step, asked) });
  }
  return played;
}

function askStep(step: Step, on: World, readings: Loaded['origin']['readings'], clock: string | undefined): Asked {
  const { call, as = 'anonymous', path = {}, query = {}, body } = step;
  if (call === undefined) throw new Error('the step is no call');
  return ask(call, {
    on,
    credentials: credentialsOf(as, on),
    params: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    json: body,
    readings: layReadings(defaultReadings, readings),
    ...(clock !== undefined && { now: clock }),
  });
}

function credentialsOf(as: As, world: World): Credentials {
  if (as === 'anonymous') return { kind: 'none' };
  if (typeof as === 'string') return { kind: 'basic', user: as, password: world.users.get(as)?.password ?? '' };
  return 'token' in as ? { kind: 'bearer', token: as.token } : { kind: 'basic', user: as.user, password: as.password };
}

function differencesOf(
  { expect = {}, then = {}, proves = [] }: Step,
  { status, reply, answer, rules, world }: Asked,
): string[] {
  return [
    ...(Object.hasOwn(expect, 'status') ? differences('status', expect.status, status) : []),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, value]) => differences(name, value, answer.headers[name])),
    ...(Object.hasOwn(expect, 'body') ? differences('body', expect.body, reply) : []),
    ...Object.entries(then as object).flatMap(([name, records]) => heldBy(world, name, records)),
    ...proves.filter(rule => !rules.includes(rule)).map(rule => `${rule} did not apply, only ${rules.join(', ')}`),
  ];
}

function heldBy(world: World, name: string, expected: object): string[] {
  if (name === 'licence' || name === 'nextPageId') return differences(name, expected, world[name]);
  const { read } = collection(name as CollectionName); // the schema of `then` has been checked
  return Object.entries(expected).flatMap(([key, record]) =>
    differences(`${name}/${key}`, record, read(world, key), true),
  );
}

function differences(place: string, expected: unknown, found: unknown, isPart = false): string[] {
  const matched = matcherResult(expected, found);
  if (matched !== undefined)
    return matched ? [] : [`${place} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`];
  if (isObject(expected) && isObject(found)) {
    const extra = isPart ? [] : Object.keys(found).filter(key => !Object.hasOwn(expected, key));
    return [
      ...extra.map(key => `${place}/${key} is one too many`),
      ...Object.entries(expected).flatMap(([key, value]) => differences(`${place}/${key}`, value, found[key], isPart)),
    ];
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((value, i) => differences(`${place}/${i}`, value, found[i]));
  }
  return isDeepStrictEqual(expected, found)
    ? []
    : [`${place} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`];
}

/** Whether a matcher matches; `undefined` where the value is no matcher. */
function matcherResult(expected: unknown, found: unknown): boolean | undefined {
  if (!isObject(expected)) return undefined;
  if ('$absent' in expected) return found === undefined;
  if ('$any' in expected) return expected.$any === typeof found;
  if ('$match' in expected) return new RegExp(String(expected.$match), 'u').test(String(found));
  if ('$contains' in expected && Array.isArray(expected.$contains) && Array.isArray(found)) {
    const among = new Set(found);
    return expected.$contains.every(element => among.has(element));
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
