// ISO 8601 durations, and adding them to an instant.

export interface Duration {
  /** Calendar units: their length depends on the start. */
  readonly months: number;
  readonly milliseconds: number;
}

const count = '([0-9]{1,9})';
const part = '([0-9]{1,9}(?:[.,][0-9]{1,9})?)';

/** Years, months, weeks and days as whole numbers; hours, minutes and seconds may have a fraction. */
export const DURATION_PATTERN = `^P(?=[0-9T])(?:${count}Y)?(?:${count}M)?(?:${count}W)?(?:${count}D)?(?:T(?=[0-9])(?:${part}H)?(?:${part}M)?(?:${part}S)?)?$`;
const pattern = new RegExp(DURATION_PATTERN);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `undefined` for a text that is not a duration. */
export function parseDuration(text: string): Duration | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map(number => Number((number ?? '0').replace(',', '.')));
  return {
    months: years * 12 + months,
    milliseconds: (weeks * 7 + days) * DAY + Math.round(hours * HOUR + minutes * MINUTE + seconds * SECOND),
  };
}

/** In UTC. If the target month is too short for the day, its last day. Invalid if beyond the range of Date. */
export function after(instant: Date, { months, milliseconds }: Duration): Date {
  const reached = new Date(instant);
  if (months > 0) {
    reached.setUTCDate(1);
    reached.setUTCMonth(reached.getUTCMonth() + months);
    const last = new Date(reached);
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
    reached.setUTCDate(Math.min(instant.getUTCDate(), last.getUTCDate()));
  }
  return new Date(reached.getTime() + milliseconds);
}
