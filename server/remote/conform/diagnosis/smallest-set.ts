// Searches for the cheapest set of rules, and for the next best one. What a set costs is told from outside.

/** Of a set of rules, in nats. */
export type Cost = (rules: readonly string[]) => number;

/** Another set of rules that explains the same. */
export interface Rival {
  readonly rules: readonly string[];
  /** What it costs more than the cheapest one, in nats. */
  readonly more: number;
}

/** Changes the set step by step while that reduces the cost; looks further where no small step does. */
export function smallest(candidates: readonly string[], cost: Cost): readonly string[] {
  let best: readonly string[] = [];
  let least = cost(best);
  const improves = (neighbours: Iterable<readonly string[]>): boolean => {
    const from = least;
    for (const rules of neighbours) {
      const there = cost(rules);
      if (there < least - 1e-9) [best, least] = [rules, there];
    }
    return least < from;
  };
  for (let isBetter = true; isBetter; ) {
    const others = candidates.filter(rule => !best.includes(rule));
    isBetter = improves(near(best, others)) || improves(far(best, others));
  }
  return best;
}

/** The cheapest other set that lacks one of these rules. */
export function rivalOf(chosen: readonly string[], candidates: readonly string[], cost: Cost): Rival | undefined {
  const others = candidates.filter(rule => !chosen.includes(rule));
  const own = cost(chosen);
  let rival: Rival | undefined;
  for (const rules of [...near(chosen, others), ...far(chosen, others)]) {
    if (chosen.every(rule => rules.includes(rule))) continue;
    const more = cost(rules) - own;
    if (rival === undefined || more < rival.more) rival = { rules, more };
  }
  return rival;
}

/** With one rule more, one less, or one exchanged. */
function* near(best: readonly string[], others: readonly string[]): Iterable<readonly string[]> {
  for (const rule of others) yield [...best, rule];
  for (const rule of best) yield best.filter(one => one !== rule);
  for (const rule of best) for (const other of others) yield [...best.filter(one => one !== rule), other];
}

/** Two are not tried in the place of one of more than so many: there are too many of them, and hardly anything stands. */
const MAX_EXCHANGED = 3;

/** With two in the place of one, and one in the place of all. */
function* far(best: readonly string[], others: readonly string[]): Iterable<readonly string[]> {
  for (const rule of best.length > MAX_EXCHANGED ? [] : best) {
    const rest = best.filter(one => one !== rule);
    for (const [i, first] of others.entries()) for (const second of others.slice(i + 1)) yield [...rest, first, second];
  }
  for (const rule of others) yield [rule];
}
