// Files of data that an earlier version of the program has written.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';

/** The text of a file, which must be the expected one. UPDATE_FORMAT=1 writes it. */
export function expectFile(path: string, text: string): string {
  if (process.env.UPDATE_FORMAT === '1') writeFileSync(path, text);
  const kept = readFileSync(path, 'utf8');
  expect(kept).to.equal(text);
  return kept;
}

/** The JSON values of a file with one on each line, which must be the expected ones. */
export function expectLines<T>(path: string, values: readonly T[]): readonly T[] {
  const lines = values.map(value => JSON.stringify(value));
  const text = expectFile(path, `${lines.join('\n')}\n`);
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T);
}

/** Data without what is random in ids. */
export function withoutRandom(data: string): string {
  return data.replace(/(?<![0-9a-f])[0-9a-f]{16}(?=-\d|$)/g, '0123456789abcdef');
}
