// Builders of Markdown.

export function code(text: string): string {
  return `\`${text}\``;
}

/** A table, line by line. */
export function markdownTable(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}

/** A fenced block, line by line. */
export function fenced(language: string, text: string): string[] {
  return [`\`\`\`${language}`, ...text.split('\n'), '```'];
}
