// Collects the readings of a server from its traffic: for each gap those that every response agrees with.
import { counted } from '../../server/derive/text/counted.js';
import { type GapId, gapIds, readingNames } from '../../server/operations/gaps/gaps.js';
import type { Agreeing } from './agreeing-readings.js';

export interface Narrowed {
  readonly gap: GapId;
  /** One: known. None: responses contradict each other. */
  readonly readings: readonly string[];
  /** Number of responses about the gap. */
  readonly responses: number;
}

export class Narrowing {
  readonly #left = new Map<GapId, { readings: readonly string[]; responses: number }>();

  /** Adds the findings of one response. */
  take(agreeing: Agreeing): void {
    for (const [gap, readings] of Object.entries(agreeing) as Array<[GapId, readonly string[]]>) {
      const before = this.#left.get(gap) ?? { readings: readingNames(gap), responses: 0 };
      this.#left.set(gap, {
        readings: before.readings.filter(reading => readings.includes(reading)),
        responses: before.responses + 1,
      });
    }
  }

  /** The gaps with findings, in the order of the ledger. */
  get narrowed(): Narrowed[] {
    return gapIds.flatMap(gap => {
      const left = this.#left.get(gap);
      return left === undefined ? [] : [{ gap, ...left }];
    });
  }
}

/** YAML for `serve --readings`: known readings, with narrowed and contradictory ones as comments. */
export function narrowedText(narrowed: readonly Narrowed[], target: string): string {
  const known = narrowed.filter(({ readings }) => readings.length === 1);
  return [
    `# Readings inferred from the responses of ${target}, for ${known.length} of ${gapIds.length} gaps.`,
    ...narrowed.map(lineOf),
    '',
  ].join('\n');
}

function lineOf({ gap, readings, responses }: Narrowed): string {
  const [only, ...others] = readings;
  const basis = counted(responses, 'response');
  if (only === undefined) return `# ${gap}: no reading agrees with all of ${basis}`;
  if (others.length > 0) return `# ${gap}: ${readings.join(' or ')} (${basis})`;
  return `${gap}: ${/^\d+$/.test(only) ? `"${only}"` : only} # ${basis}`;
}
