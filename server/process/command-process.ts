// What a command uses of the process that runs it: Node's own, or one that a test makes up.
import type { Readable, Writable } from 'node:stream';

export type Input = Readable & {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The descriptor, of a stream that has one. */
  readonly fd?: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;
type OnSignal = (signal: NodeJS.Signals) => void;

/** What takes note of signals. */
export interface Signals {
  on(name: NodeJS.Signals, listener: OnSignal): unknown;
  once(name: NodeJS.Signals, listener: OnSignal): unknown;
  off(name: NodeJS.Signals, listener: OnSignal): unknown;
}

export interface Process extends Signals {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly pid: number;
  /** Sends a signal to the process of this id. */
  kill(pid: number, signal: NodeJS.Signals): unknown;
  cwd(): string;
  exit(code: number): never;
}

export function writeLine(stream: Output, line: string): void {
  stream.write(`${line}\n`);
}

export function writeLines(stream: Output, lines: readonly string[]): void {
  if (lines.length > 0) writeLine(stream, lines.join('\n'));
}
