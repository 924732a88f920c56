// The findings of a run: each with its case, its bytes and the command that repeats it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Finding {
  /** The number of the case; absent if the finding belongs to no single case. */
  readonly at?: number;
  readonly kind: string;
  readonly problem: string;
  readonly sent?: Buffer;
  readonly received?: Buffer;
}

/** The run stops at this many: the first ones suffice. */
export const MAX_FINDINGS = 12;

export class Findings {
  readonly list: Finding[] = [];

  /** `keep`: the folder for the findings. */
  constructor(
    private readonly seed: number,
    private readonly keep?: string,
  ) {}

  get areEnough(): boolean {
    return this.list.length >= MAX_FINDINGS;
  }

  add(finding: Finding): void {
    if (this.areEnough) return;
    this.list.push(finding);
    if (this.keep !== undefined) this.#write(this.keep, finding);
  }

  /** One paragraph for each. */
  render(): string {
    return this.list
      .map(finding => {
        const { at, kind, problem, sent, received } = finding;
        const shown = sent === undefined ? '' : `\n  sent ${sent.length} bytes: ${JSON.stringify(start(sent))}`;
        const came =
          received === undefined ? '' : `\n  came ${received.length} bytes: ${JSON.stringify(start(received))}`;
        return `${at === undefined ? kind : `case ${at}, ${kind}`}: ${problem}${shown}${came}\n  again: ${this.#command(at)}`;
      })
      .join('\n');
  }

  #command(at: number | undefined): string {
    return `FUZZ_SEED=${this.seed} ${at === undefined ? '' : `FUZZ_AT=${at} `}npx mocha tests/fuzz/fuzz.test.ts`;
  }

  #write(folder: string, { at, kind, problem, sent, received }: Finding): void {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `finding-${this.seed}-${at ?? `run-${this.list.length}`}`);
    writeFileSync(`${file}.txt`, `${kind}: ${problem}\n${this.#command(at)}\n`);
    if (sent !== undefined) writeFileSync(`${file}.request`, sent);
    if (received !== undefined) writeFileSync(`${file}.response`, received);
  }
}

function start(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 400);
}
