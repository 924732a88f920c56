// What traffic has told of the readings that a server follows: for each gap those that every answer agrees with. Pure but for its own counts.
import { type GapId, gapIds, readingNames } from '../../operations/gaps/gaps.js';
import type { Agreeing } from './agreeing-readings.js';

export interface Narrowed {
  readonly gap: GapId;
  /** One: it is known. None: two answers exclude each other. */
  readonly readings: readonly string[];
  /** Answers that told something of the gap. */
  readonly answers: number;
}

export class Narrowing {
  readonly #left = new Map<GapId, { readings: readonly string[]; answers: number }>();

  /** Takes in what one answer agrees with. */
  take(agreeing: Agreeing): void {
    for (const [gap, readings] of Object.entries(agreeing) as Array<[GapId, readonly string[]]>) {
      const before = this.#left.get(gap) ?? { readings: readingNames(gap), answers: 0 };
      this.#left.set(gap, {
        readings: before.readings.filter(reading => readings.includes(reading)),
        answers: before.answers + 1,
      });
    }
  }

  /** The gaps of which something is known, in the order of the ledger. */
  get narrowed(): Narrowed[] {
    return gapIds.flatMap(gap => {
      const left = this.#left.get(gap);
      return left === undefined ? [] : [{ gap, ...left }];
    });
  }
}

/** As YAML for `serve --readings`: what is known, and as comments what is narrowed only, or what contradicts itself. */
export function narrowedText(narrowed: readonly Narrowed[], target: string): string {
  const known = narrowed.filter(({ readings }) => readings.length === 1);
  return [
    `# What the answers of ${target} tell of its readings: ${known.length} of ${gapIds.length} gaps are known.`,
    ...narrowed.map(lineOf),
    '',
  ].join('\n');
}

function lineOf({ gap, readings, answers }: Narrowed): string {
  const [only, ...others] = readings;
  const told = `${answers} ${answers === 1 ? 'answer' : 'answers'}`;
  if (only === undefined) return `# ${gap}: no reading agrees with all of ${told}`;
  if (others.length > 0) return `# ${gap}: ${readings.join(' or ')} (${told})`;
  return `${gap}: ${/^\d+$/.test(only) ? `"${only}"` : only} # ${told}`;
}
