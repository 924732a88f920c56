// Bytes that the HTTP server holds for its connections: bodies that are still arriving, and answers that their readers have not taken.

export class Outstanding {
  /** Bytes of bodies, packed and unpacked, until they are parsed. */
  bodies = 0;
  /** Bytes of answers that are written and wait for their reader. */
  answers = 0;

  /** `mostBodies`: beyond so many bytes no further bodies are kept. */
  constructor(private readonly mostBodies = Number.POSITIVE_INFINITY) {}

  get isFull(): boolean {
    return this.bodies > this.mostBodies;
  }
}
