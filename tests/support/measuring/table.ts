// A Markdown table, to be read in a terminal and pasted into the README.

export interface Table {
  readonly title: string;
  /** What a reader has to know to judge the rows. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
}

export function markdown({ title, note, columns, rows }: Table): string {
  const lines = [columns, columns.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return [`### ${title}`, '', note, '', ...lines.map(cells => `| ${cells.join(' | ')} |`), ''].join('\n');
}
