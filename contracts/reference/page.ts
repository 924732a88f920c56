// The frame of a generated page of docs/reference/.

export interface Reference {
  readonly title: string;
  /** A sentence: what the page has. */
  readonly lead: string;
  readonly body: readonly string[];
  /** Follows "Next:". */
  readonly next: string;
}

export function page({ title, lead, body, next }: Reference): string {
  const note = 'This page is generated from the code (`npm run update`).';
  return [`# ${title}`, '', `${lead} ${note}`, '', ...body, '', `Next: ${next}`, ''].join('\n');
}
