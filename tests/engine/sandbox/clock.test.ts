// Frozen and running clocks, and durations in ISO 8601.
import { expect } from 'chai';
import fc from 'fast-check';
import { after, parseDuration } from '../../../server/engine/duration.js';
import { type Clock, type ClockOrder, isClockRunning, timeOn, turned } from '../../../server/engine/sandbox/clock.js';

const machine = new Date('2026-11-20T10:00:00.250Z');
const later = new Date('2026-11-20T10:00:07Z');
const standing: Clock = { stands: '2026-01-05T09:00:00Z' };
const ahead: Clock = { ahead: 3_600_000 };

function clockAfter(clock: Clock | undefined, order: ClockOrder): Clock | undefined {
  const now = turned(clock, order, machine);
  if (now !== undefined && 'problem' in now) throw new Error(now.problem);
  return now;
}

/** What the clock shows now, and when the machine is about seven seconds ahead. */
const shown = (clock: Clock | undefined) =>
  `${timeOn(clock, machine)} to ${timeOn(clock, later)}, ${isClockRunning(clock) ? 'running' : 'frozen'}`;

describe('a clock', () => {
  it('is set, advances, freezes or runs on, and stays frozen or running', () => {
    const rows: ReadonlyArray<readonly [Clock | undefined, ClockOrder, shown: string]> = [
      [
        ahead,
        { set: '2030-02-28T23:59:59.5Z', running: true },
        '2030-02-28T23:59:59.500Z to 2030-03-01T00:00:06.250Z, running',
      ],
      [standing, { advance: 90 }, '2026-01-05T09:01:30Z to 2026-01-05T09:01:30Z, frozen'],
      [ahead, { advance: 'PT30M' }, '2026-11-20T11:30:00.250Z to 2026-11-20T11:30:07Z, running'],
      [undefined, { advance: 0.75 }, '2026-11-20T10:00:01Z to 2026-11-20T10:00:07.750Z, running'],
      [ahead, { freeze: true }, '2026-11-20T11:00:00.250Z to 2026-11-20T11:00:00.250Z, frozen'],
      [standing, { run: true }, '2026-01-05T09:00:00Z to 2026-01-05T09:00:06.750Z, running'],
    ];
    for (const [before, order, now] of rows) expect(shown(clockAfter(before, order))).to.equal(now);
  });

  it('refuses orders beyond the years 0000 to 9999', () => {
    for (const [clock, order] of [
      [{ stands: '9999-12-31T00:00:00Z' }, { advance: 'P1D' }],
      [standing, { advance: 1e300 }],
      [undefined, { advance: 'P999999999Y' }],
      [standing, { set: 'noon' }],
    ] as const)
      expect(turned(clock, order, machine), JSON.stringify(order)).to.deep.equal({
        problem: 'The clock would be outside the years 0000 to 9999.',
      });
  });

  it('shows any instant it was set to', () => {
    const instants = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.boolean(), (instant, running) => {
        const shows = timeOn(clockAfter(ahead, { set: instant.toISOString(), running }), machine);
        expect(Date.parse(shows)).to.equal(instant.getTime());
      }),
    );
  });
});

describe('a duration', () => {
  const from = new Date('2028-01-31T12:00:00Z');
  const lies: Record<string, string> = {
    P1DT12H: '2028-02-02T00:00:00Z',
    P2W: '2028-02-14T12:00:00Z',
    P1M: '2028-02-29T12:00:00Z',
    P13M: '2029-02-28T12:00:00Z',
    P1M1D: '2028-03-01T12:00:00Z',
    'PT0.5S': '2028-01-31T12:00:00.500Z',
    'PT1,5H': '2028-01-31T13:30:00Z',
    P3Y6M4DT12H30M5S: '2031-08-05T00:30:05Z',
  };
  it('leads to an instant, by the calendar', () => {
    for (const [text, instant] of Object.entries(lies)) {
      const duration = parseDuration(text);
      expect(duration && after(from, duration).getTime(), text).to.equal(Date.parse(instant));
    }
  });

  it('is in ISO 8601', () => {
    for (const text of [
      ...['', 'P', 'PT', 'P1', '1H', 'PT1', 'P1H', 'PT1D', 'P1DT', '-PT1H', 'PT-1H', 'P1.5D', 'pt1h', 'PT1H '],
      ...['PT1S1M', 'PT1234567890S', 'P1Y\n'],
    ])
      expect(parseDuration(text), JSON.stringify(text)).to.equal(undefined);
  });
});
