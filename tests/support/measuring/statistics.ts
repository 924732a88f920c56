// Medians, and numbers rounded for readers.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? Number.NaN : (lower + upper) / 2;
}

/** How values compare to those of another, taken in the same rounds: the median of the ratios, since what slows the machine slows neighbours alike. */
export function shareOf(values: readonly number[], others: readonly number[] = []): number {
  return median(values.map((value, i) => value / (others[i] ?? Number.NaN)));
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Three significant digits, and thousands apart: 22,300 · 44.1 · 0.27. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 20 });
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

export function spread(values: readonly number[]): string {
  return [Math.min(...values), median(values), Math.max(...values)].map(digits).join(' / ');
}
