// Bytes that the server holds for its connections: arriving bodies, and answers that are not yet read.

export class Outstanding {
  /** Bytes of bodies, compressed and decompressed, until they are parsed. */
  bodies = 0;
  /** Bytes of answers that wait for their reader. */
  answers = 0;

  /** `mostBodies`: beyond this number of bytes no further bodies are kept. */
  constructor(private readonly mostBodies = Number.POSITIVE_INFINITY) {}

  get isFull(): boolean {
    return this.bodies > this.mostBodies;
  }
}
