// Times something done many times in one process, after it has been done often enough to be compiled. Knows nothing of what it is.

/** Microseconds of each, the median over batches; `batch` is how often in each of them. */
export async function microseconds(batches: number, batch: number, act: (i: number) => unknown): Promise<number[]> {
  const taken: number[] = [];
  for (let b = 0; b < batches; b += 1) {
    const began = performance.now();
    for (let i = 0; i < batch; i += 1) await act(b * batch + i);
    taken.push(((performance.now() - began) * 1000) / batch);
  }
  return taken.slice(Math.floor(batches / 4));
}

export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
}
