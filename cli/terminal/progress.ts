// A progress bar on one line of a terminal. Elsewhere nothing is shown.
import type { OutputStream } from '../../server/process/command-process.js';

const WIDTH = 24;
const CLEAR = '\r\u001b[2K';

export class Progress {
  readonly #started = performance.now();
  #done = 0;

  /** `total`: how many steps will be reported. */
  constructor(
    private readonly output: OutputStream,
    private readonly total: number,
  ) {}

  /** Shows what comes next. */
  next(label: string): void {
    if (this.output.isTTY !== true) return;
    const share = this.#done / this.total;
    const left =
      this.#done === 0
        ? ''
        : ` · ${Math.ceil((((performance.now() - this.#started) / this.#done) * (this.total - this.#done)) / 1000)} s left`;
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    this.#done += 1;
    this.output.write(`${CLEAR}${bar} ${this.#done} of ${this.total} ${label}${left}`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.output.isTTY === true && this.#done > 0) this.output.write(CLEAR);
  }
}
