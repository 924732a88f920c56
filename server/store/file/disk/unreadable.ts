// Why something that a store wrote cannot be taken.

/** In words that follow `file:line: `. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly failure: 'format' | 'lost' = 'lost',
  ) {
    super(message);
  }
}
