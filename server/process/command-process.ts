// The process of a command: Node's own, or a simulated one in tests.
import type { Readable, Writable } from 'node:stream';

export type InputStream = Readable & {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The file descriptor, if the stream has one. */
  readonly fd?: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;
type OnSignal = (signal: NodeJS.Signals) => void;

/** A source of signals. */
export interface Signals {
  on(name: NodeJS.Signals, listener: OnSignal): unknown;
  once(name: NodeJS.Signals, listener: OnSignal): unknown;
  off(name: NodeJS.Signals, listener: OnSignal): unknown;
}

export interface Process extends Signals {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly pid: number;
  /** Sends a signal to a process. */
  kill(pid: number, signal: NodeJS.Signals): unknown;
  cwd(): string;
  exit(code: number): never;
}

export function writeLine(stream: OutputStream, line: string): void {
  stream.write(`${line}\n`);
}

export function writeLines(stream: OutputStream, lines: readonly string[]): void {
  if (lines.length > 0) writeLine(stream, lines.join('\n'));
}
