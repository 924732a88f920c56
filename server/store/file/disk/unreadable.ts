// Why a line of a store cannot be read.

/** A message that follows `file:line: `. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly failure: 'format' | 'lost' = 'lost',
  ) {
    super(message);
  }
}
