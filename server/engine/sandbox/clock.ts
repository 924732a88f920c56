// The clock of a sandbox: it runs with an offset to the machine's clock, or is frozen. Pure.
import { after, parseDuration } from '../duration.js';

/** The instant (ISO 8601) at which it is frozen; or its offset to the machine's clock in milliseconds. */
export type Clock = { readonly stands: string } | { readonly ahead: number };

export type ClockOrder =
  /** Sets the time; the clock is frozen unless `running`. */
  | { readonly set: string; readonly running?: boolean }
  /** Advances by seconds or an ISO 8601 duration; a frozen clock stays frozen. */
  | { readonly advance: number | string }
  | { readonly freeze: true }
  /** Runs from its current time. */
  | { readonly run: true };

/** Instants are written with four digits for the year. A running clock stops there. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** The time of a clock, or of the machine without one. Whole seconds have no fraction. */
export function timeOn(clock: Clock | undefined, machine: Date): string {
  if (clock === undefined) return written(machine);
  if ('stands' in clock) return clock.stands.replace(/\.000Z$/, 'Z');
  return written(new Date(Math.min(machine.getTime() + clock.ahead, LAST)));
}

export function isClockRunning(clock: Clock | undefined): boolean {
  return clock === undefined || !('stands' in clock);
}

export function turned(
  clock: Clock | undefined,
  order: ClockOrder,
  machine: Date,
): Clock | undefined | { readonly problem: string } {
  if ('freeze' in order) return isClockRunning(clock) ? { stands: timeOn(clock, machine) } : clock;
  if ('run' in order) return isClockRunning(clock) ? clock : at(new Date(timeOn(clock, machine)), true, machine);
  if ('set' in order) return at(new Date(order.set), order.running ?? false, machine);
  const { advance } = order;
  const duration =
    typeof advance === 'number' ? { months: 0, milliseconds: Math.round(advance * 1000) } : parseDuration(advance);
  if (duration === undefined)
    return { problem: `${JSON.stringify(advance)} is not an ISO 8601 duration such as PT1H.` };
  return at(after(new Date(timeOn(clock, machine)), duration), isClockRunning(clock), machine);
}

function at(instant: Date, running: boolean, machine: Date): Clock | { readonly problem: string } {
  const ms = instant.getTime();
  if (!(ms >= FIRST && ms <= LAST)) return { problem: 'The clock would be outside the years 0000 to 9999.' };
  return running ? { ahead: ms - machine.getTime() } : { stands: written(instant) };
}

/** Cache: requests of one millisecond share it. */
let last = { ms: Number.NaN, text: '' };

function written(instant: Date): string {
  const ms = instant.getTime();
  if (ms !== last.ms) last = { ms, text: instant.toISOString().replace(/\.000Z$/, 'Z') };
  return last.text;
}
