// Markdown by its forms, so that no page spells a table on its own. Knows nothing of what is written in them.

export function code(text: string): string {
  return `\`${text}\``;
}

/** A table, line by line. */
export function table(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}

/** A fenced block, line by line. */
export function fenced(language: string, text: string): string[] {
  return [`\`\`\`${language}`, ...text.split('\n'), '```'];
}
