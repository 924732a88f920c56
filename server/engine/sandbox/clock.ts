// The clock of a sandbox: it runs, ahead of the machine's or behind it, or it stands at an instant. Pure: the shell says what time the machine has.
import { after, parseDuration } from '../duration.js';

/** Where it stands, as an ISO 8601 instant; or by how many milliseconds it runs ahead of the machine's. */
export type Clock = { readonly stands: string } | { readonly ahead: number };

/** What can be asked of a clock. */
export type ClockOrder =
  /** From now on it is this instant, and it stands there unless it is told to run. */
  | { readonly set: string; readonly running?: boolean }
  /** So many seconds, or an ISO 8601 duration. It goes on standing or running as it did. */
  | { readonly advance: number | string }
  | { readonly freeze: true }
  /** It goes on from where it stands. */
  | { readonly run: true };

/** What a clock shows that has been told nothing, or this. Whole seconds are written without a fraction. */
export function timeOn(clock: Clock | undefined, machine: Date): string {
  if (clock === undefined) return written(machine);
  if ('stands' in clock) return clock.stands.replace(/\.000Z$/, 'Z');
  return written(new Date(machine.getTime() + clock.ahead));
}

export function isRunning(clock: Clock | undefined): boolean {
  return clock === undefined || !('stands' in clock);
}

/** The clock after an order whose instant is one. */
export function turned(
  clock: Clock | undefined,
  order: ClockOrder,
  machine: Date,
): Clock | undefined | { readonly problem: string } {
  if ('freeze' in order) return isRunning(clock) ? { stands: timeOn(clock, machine) } : clock;
  if ('run' in order) return isRunning(clock) ? clock : at(new Date(timeOn(clock, machine)), true, machine);
  if ('set' in order) return at(new Date(order.set), order.running ?? false, machine);
  const { advance } = order;
  const duration =
    typeof advance === 'number' ? { months: 0, milliseconds: Math.round(advance * 1000) } : parseDuration(advance);
  if (duration === undefined) return { problem: `${JSON.stringify(advance)} is no ISO 8601 duration, such as PT1H.` };
  return at(after(new Date(timeOn(clock, machine)), duration), isRunning(clock), machine);
}

/** Instants are written with four digits for the year. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

function at(instant: Date, running: boolean, machine: Date): Clock | { readonly problem: string } {
  const ms = instant.getTime();
  if (!(ms >= FIRST && ms <= LAST)) return { problem: 'The clock would leave the years 0000 to 9999.' };
  return running ? { ahead: ms - machine.getTime() } : { stands: written(instant) };
}

/** What was written out last: the requests of one millisecond share it. */
let last = { ms: Number.NaN, text: '' };

function written(instant: Date): string {
  const ms = instant.getTime();
  if (ms !== last.ms) last = { ms, text: instant.toISOString().replace(/\.000Z$/, 'Z') };
  return last.text;
}
