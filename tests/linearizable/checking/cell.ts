// The sequential model: one cell that is written, swapped and read.
import type { Asked } from './history.js';

export type Change = Extract<Asked, { cell: string }>;

export interface Stepped {
  readonly value: string;
  readonly kind: 'done' | 'missed';
}

/** The new value after a change, and its response. */
export function step(value: string, asked: Change): Stepped {
  if (asked.kind === 'write') return { value: asked.value, kind: 'done' };
  return asked.from === value ? { value: asked.to, kind: 'done' } : { value, kind: 'missed' };
}
