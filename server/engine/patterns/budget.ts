// The maximum work of one query. Work is counted, not timed, so that a query has the same result on every machine.

/** Steps for one query: instructions of a pattern times characters of a text, or comparisons. A step takes at most 30 ns. */
export const QUESTION = 100_000_000;
/** Steps in one piece, while no other request is served: one journal entry, or the check of one query. */
export const PIECE = 6_000_000;

export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super('is too expensive: use patterns with less repetition, or shorter texts and lists');
  }
}

/** The budget of a query. Its pieces alternate with other work. */
export class Budget {
  #left = QUESTION;
  #leftOfPiece = PIECE;

  /** Remaining steps of this piece. */
  get left(): number {
    return Math.min(this.#left, this.#leftOfPiece);
  }

  /** Runs one piece of the query. Throws `BudgetExceeded`. */
  piece<T>(work: () => T): T {
    this.#leftOfPiece = PIECE;
    return this.#during(work);
  }

  /** Runs the whole query in one piece. Throws `BudgetExceeded`. */
  whole<T>(work: () => T): T {
    this.#leftOfPiece = QUESTION;
    return this.#during(work);
  }

  consume(steps: number): void {
    if (steps > this.left) throw new BudgetExceeded();
    this.#left -= steps;
    this.#leftOfPiece -= steps;
  }

  #during<T>(work: () => T): T {
    const before = current;
    current = this;
    try {
      return work();
    } finally {
      current = before;
    }
  }
}

let current: Budget | undefined;

/** Runs work within the current query, or as a query of its own. Throws `BudgetExceeded`. */
export function withinBudget<T>(work: () => T): T {
  return current === undefined ? new Budget().whole(work) : work();
}

/** Takes steps from the budget before they are done. Throws `BudgetExceeded` if too few are left. */
export function consume(steps: number): void {
  if (current !== undefined) current.consume(steps);
  else if (steps > QUESTION) throw new BudgetExceeded();
}

/** Remaining steps of the current query. */
export function budgetLeft(): number {
  return current === undefined ? QUESTION : current.left;
}
