// Durations as ISO 8601 writes them, and the instant that lies so far after another. Knows no clock.

export interface Duration {
  /** Of the calendar: how long they are depends on where they begin. */
  readonly months: number;
  readonly milliseconds: number;
}

const count = '([0-9]{1,9})';
const part = '([0-9]{1,9}(?:[.,][0-9]{1,9})?)';

/** Years, months, weeks and days in whole numbers; hours, minutes and seconds with or without a fraction. */
export const DURATION_PATTERN = `^P(?=[0-9T])(?:${count}Y)?(?:${count}M)?(?:${count}W)?(?:${count}D)?(?:T(?=[0-9])(?:${part}H)?(?:${part}M)?(?:${part}S)?)?$`;
const pattern = new RegExp(DURATION_PATTERN);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of a text that is no duration: `undefined`. */
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

/** In UTC; where the month that is reached is too short for the day, its last day. Beyond what a date can hold: an invalid one. */
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
