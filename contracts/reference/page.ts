// The frame of a generated page of docs/reference/: for whom it is, and what comes next.

export interface Reference {
  readonly title: string;
  /** Follows "For someone who". */
  readonly reader: string;
  readonly body: readonly string[];
  /** Follows "Next:". */
  readonly next: string;
}

export function page({ title, reader, body, next }: Reference): string {
  const note = 'This page is generated from the code (`npm run generate`).';
  return [`# ${title}`, '', `For someone who ${reader}. ${note}`, '', ...body, '', `Next: ${next}`, ''].join('\n');
}
