// The sequential model: one cell that is written, swapped and read. Knows no time and no other cell.
import type { Asked } from './history.js';

export type Change = Extract<Asked, { cell: string }>;

export interface Stepped {
  readonly value: string;
  readonly kind: 'done' | 'missed';
}

/** What a change makes of a value, and how it is answered. */
export function step(value: string, asked: Change): Stepped {
  if (asked.kind === 'write') return { value: asked.value, kind: 'done' };
  return asked.from === value ? { value: asked.to, kind: 'done' } : { value, kind: 'missed' };
}
