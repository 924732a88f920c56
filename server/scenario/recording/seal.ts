// The capsule of a sandbox: its journal, and what the sandbox was before the first entry of it that can be performed again.
// Touches nothing, and knows no HTTP.
import { worldDifference } from '../../domain/form/difference.js';
import { collectionNames } from '../../domain/form/form.js';
import type { WorldForm } from '../../domain/form/form-shapes.js';
import { isSame } from '../../domain/form/patch.js';
import { type Armed, type ArmedFault, shownFault } from '../../engine/faults/fault.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { redactFault, redactWorld } from '../../engine/journal/redacted.js';
import { inPieces } from '../../engine/pieces.js';
import type { Sandbox } from '../../engine/sandbox/cached-sandbox.js';
import { isRunning } from '../../engine/sandbox/clock.js';
import { readingsIn } from '../../engine/sandbox/present.js';
import { type State, timeIn } from '../../engine/sandbox/state.js';
import { isProblems } from '../yaml/problem.js';
import type { Between, Capsule, CapsuleEntry, CapsuleWorld } from './capsule-format.js';
import { hidingSecrets, secretlessPatch } from './secretless.js';
import { loadingShipped } from './shipped-world.js';

/** `version`: that of cwx-fake. Lets others in between. */
export function seal(sandbox: Sandbox, version: string, machine: Date): Promise<Capsule> {
  return inPieces(sealing(sandbox, version, machine));
}

function* sealing(sandbox: Sandbox, version: string, machine: Date): Generator<unknown, Capsule> {
  const { history, journal, name, state: present } = sandbox;
  const kept = journal.entries().filter(({ before }) => before >= history.from);
  const [first] = kept;
  const start = (first && history.at(first.before)) ?? present;
  const { seed, scenario } = start.origin;
  const earlier = journal.lastId - kept.length;
  const world = yield* worldIn(start);
  const entries: CapsuleEntry[] = [];
  for (const [i, entry] of kept.entries()) {
    entries.push(sealed(sandbox, entry, kept[i - 1]));
    yield;
  }
  return {
    capsule: 1,
    version,
    sandbox: name,
    scenario,
    world,
    readings: readingsIn(start, sandbox.server),
    clock: { now: first?.at ?? timeIn(start, machine), running: isRunning(start.clock) },
    faults: start.faults.map(sealedFault),
    ...(seed !== undefined && { seed }),
    earlier,
    entries,
  };
}

function* worldIn({ world, origin }: State): Generator<unknown, CapsuleWorld> {
  const form = yield* hidingSecrets(world);
  const shipped = yield* loadingShipped(origin.scenario);
  if (!isProblems(shipped) && (yield* areSame(yield* hidingSecrets(shipped.world), form)))
    return { shipped: origin.scenario };
  return { form };
}

/** Record by record: both have the same collections. */
function* areSame(one: WorldForm, other: WorldForm): Generator<unknown, boolean> {
  for (const name of collectionNames) {
    const [records, others]: Readonly<Record<string, unknown>>[] = [one[name], other[name]];
    const keys = Object.keys(records ?? {});
    if (keys.length !== Object.keys(others ?? {}).length) return false;
    for (const key of keys) {
      if (!isSame(records?.[key], others?.[key])) return false;
      yield;
    }
  }
  return isSame(one.licence, other.licence) && one.nextPageId === other.nextPageId;
}

/** As it was armed and what has become of it, without what its headers may hold of secrets: what is answered does not depend on them. */
function sealedFault(armed: Armed): ArmedFault {
  return redactFault(shownFault(armed));
}

function sealed(sandbox: Sandbox, entry: JournalEntry, last: JournalEntry | undefined): CapsuleEntry {
  if (last === undefined || last.version === entry.before) return entry;
  const then = sandbox.history.at(last.version);
  const now = sandbox.history.at(entry.before);
  if (then === undefined || now === undefined) return entry; // never: the versions since the first entry are kept
  const between = betweenStates(sandbox, then, now);
  return Object.keys(between).length === 0 ? entry : { ...entry, between };
}

function betweenStates(sandbox: Sandbox, then: State, now: State): Between {
  const patch =
    then.world === now.world
      ? {}
      : secretlessPatch(worldDifference(redactWorld(then.world), redactWorld(now.world)), then.world);
  const [before, after] = [readingsIn(then, sandbox.server), readingsIn(now, sandbox.server)];
  const faults = now.faults.map(sealedFault);
  return {
    ...(Object.keys(patch).length > 0 && { world: patch }),
    ...(!isSame(before, after) && { readings: after }),
    ...(!isSame(then.faults.map(sealedFault), faults) && { faults }),
  };
}
