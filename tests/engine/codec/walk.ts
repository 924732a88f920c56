// A sandbox without a store: its states by version and the changes between them, made by requests and from outside. And a
// state as plain values.

import type { WorldPatch } from '../../../server/domain/form/patch.js';
import type { World } from '../../../server/domain/world/world.js';
import { entryOf } from '../../../server/engine/journal/compose-entry.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import type { ApiResponse } from '../../../server/engine/request/api-response.js';
import { parseQuery, type Request } from '../../../server/engine/request/request.js';
import { timeOn } from '../../../server/engine/sandbox/clock.js';
import { runAmongFaults } from '../../../server/engine/sandbox/decide-request.js';
import {
  advanceAll,
  begin,
  type Change,
  type Origin,
  type SandboxRecord,
  type State,
} from '../../../server/engine/sandbox/state.js';
import { findPlace } from '../../../server/http/incoming/find-endpoint.js';
import { defaultReadings, layReadings } from '../../../server/operations/gaps/gaps.js';
import { patchErrors } from '../../../server/scenario/checks/world-patch.js';
import { plainWorld } from '../../domain/plain-world.js';
import type { ModelRequest } from '../../model/operations/given.js';

const machine = new Date('2026-11-20T08:00:00.250Z');

export class Walk {
  readonly states: State[];
  readonly entries: Change[][] = [];
  readonly notes: JournalEntry[] = [];
  readonly records: SandboxRecord[] = [];
  readonly responses: ApiResponse[] = [];

  constructor(begun: Origin | State) {
    this.states = ['origin' in begun ? begun : begin(begun)];
  }

  get version(): number {
    return this.entries.length;
  }

  get state(): State {
    return this.at(this.version) ?? this.missing();
  }

  get time(): string {
    return timeOn(this.state.clock, machine);
  }

  at(version: number): State | undefined {
    return this.states[version];
  }

  change(...changes: Change[]): void {
    if (changes.length === 0) return;
    this.states.push(advanceAll(this.state, changes, this));
    this.entries.push(changes);
  }

  /** Undefined for an impossible request. */
  patch(patch: WorldPatch): void {
    if (patchErrors(this.state.world, patch).length === 0) this.change({ type: 'world-patched', patch });
  }

  ask(sent: ModelRequest): void {
    const request = routedRequest(sent);
    const { state, version: before, time: now } = this;
    const { world } = state;
    const readings = layReadings(defaultReadings, state.origin.readings, state.readings);
    const { result, changes } = runAmongFaults(request, { world, readings, now }, state);
    this.change(...changes);
    const moment = { at: now, world, before, version: this.version, isLeak: before % 2 === 1 };
    const entry = entryOf(this.notes.length + 1, request, result, moment);
    this.notes.push(entry);
    this.records.push({ changes, entry });
    this.responses.push(result.response);
  }

  private missing(): never {
    throw new Error(`there is no state of version ${this.version}`);
  }
}

/** A request as it arrives, with the endpoint that its path leads to. */
export function routedRequest(sent: ModelRequest): Request {
  const [path = '', search = ''] = sent.url.split(/\?(.*)/s);
  return { ...sent, ...findPlace(path), query: parseQuery(search) };
}

/** Every field of a state. */
export function plainState(state: State): unknown {
  const { world, ...origin } = state.origin;
  const moment = ({ world: own, readings, clock, faults }: State) => ({
    world: plainWorld(own),
    readings,
    clock,
    faults,
  });
  const snapshots = [...(state.snapshots ?? [])].map(([name, { version, at, state: kept }]) => {
    return { name, version, at, state: moment(kept), hasOwn: kept.snapshots !== undefined };
  });
  const isKeeping = state.snapshots !== undefined;
  return { origin: { ...origin, world: plainWorld(world) }, present: moment(state), snapshots, isKeeping };
}

/** The worlds of a state: its origin's, its own, and those of its snapshots. */
export function worldsOf({ origin, world, snapshots }: State): World[] {
  return [origin.world, world, ...[...(snapshots?.values() ?? [])].map(({ state }) => state.world)];
}
