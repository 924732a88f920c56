// Compares a replayed answer with the original, byte for byte. Pure.
import type { Replayed } from './replay.js';

/** The first difference, in lines; `undefined` if there is none. */
export function firstDifference({ entry, result: { answer } }: Replayed): readonly string[] | undefined {
  const [was, is] = [entry.answer.body, answer.body];
  const lines = [
    ...(entry.answer.status === answer.status
      ? []
      : [`the status is ${answer.status}, and was ${entry.answer.status}`]),
    ...(was === is ? [] : bodyLines(was, is)),
  ];
  return lines.length === 0 ? undefined : lines;
}

const AROUND = 30;

function bodyLines(was: string | undefined, is: string | undefined): string[] {
  if (was === undefined || is === undefined)
    return [
      `there ${is === undefined ? 'is no body, and was' : 'is a body, and was none'}: ${JSON.stringify(is ?? was)}`,
    ];
  const [before, now] = [Buffer.from(was), Buffer.from(is)];
  const at = before.findIndex((byte, i) => byte !== now[i]);
  const first = at === -1 ? before.length : at;
  const cut = (bytes: Buffer) => JSON.stringify(bytes.subarray(Math.max(0, first - AROUND), first + AROUND).toString());
  return [`the body differs from byte ${first} on: it is ${cut(now)}`, `and was ${cut(before)}`];
}
