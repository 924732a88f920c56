// How much work one question may cost. Work is counted and not timed, so that the same question has the same answer on every machine.

/** Steps that one question may cost: instructions of a pattern times characters of a text, or comparisons. A step takes 30 ns at the worst. */
export const QUESTION = 100_000_000;
/** Steps that may be done in one piece, while nobody else is served: the work on one journal entry, or the check of one question. */
export const PIECE = 6_000_000;

/** The question costs more work than it may. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super(
      'takes more work than is done for one question: use patterns with less repetition, or shorter texts and lists',
    );
  }
}

/** The budget of a question. Its pieces take turns with other work. */
export class Budget {
  #left = QUESTION;
  #leftOfPiece = PIECE;

  /** Steps that may still be done now. */
  get left(): number {
    return Math.min(this.#left, this.#leftOfPiece);
  }

  /** Does one piece of the question. Throws `BudgetExceeded`. */
  piece<T>(work: () => T): T {
    this.#leftOfPiece = PIECE;
    return this.#during(work);
  }

  /** Does all of the question in one piece. Throws `BudgetExceeded`. */
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

/** The budget of the question that is being worked on. */
let current: Budget | undefined;

/** Does work within the question that is being worked on; else as a question of its own. Throws `BudgetExceeded`. */
export function withinBudget<T>(work: () => T): T {
  return current === undefined ? new Budget().whole(work) : work();
}

/** Takes steps from the budget before they are done. Throws `BudgetExceeded` where there are not as many. */
export function consume(steps: number): void {
  if (current !== undefined) current.consume(steps);
  else if (steps > QUESTION) throw new BudgetExceeded();
}

/** Steps that the question may still cost now. */
export function budgetLeft(): number {
  return current === undefined ? QUESTION : current.left;
}
