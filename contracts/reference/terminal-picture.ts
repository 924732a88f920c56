// What a terminal shows as an SVG picture: lines of text with the colours that a command has given them. Knows no command.

/** What a code of "select graphic rendition" means here; a code that is not here changes nothing. */
const STYLES: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold"',
  '2': 'opacity="0.6"',
  '3': 'font-style="italic"',
  '32': 'fill="#7ee787"',
  '33': 'fill="#f2cc60"',
  '34': 'fill="#79c0ff"',
  '35': 'fill="#d2a8ff"',
  '36': 'fill="#56d4dd"',
};
/** The codes that end one, by what they end. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  '22': ['1', '2'],
  '23': ['3'],
  '39': ['32', '33', '34', '35', '36'],
};
const LINE = 19;
const MARGIN = 18;

/** `title` is for those who do not see it. */
export function terminalPicture(text: string, columns: number, title: string): string {
  const lines = text.split(/\r?\n/);
  const [width, height] = [Math.round(columns * 8.2) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const rows = lines.map((line, i) => `<text x="${MARGIN}" y="${MARGIN + 14 + i * LINE}">${styled(line)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5" fill="#e6edf3">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function styled(line: string): string {
  const on = new Set<string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told colours by this one
  const parts = line.split(/\u001b\[(\d+)m/);
  return parts
    .map((part, i) => {
      if (i % 2 === 0) return part === '' ? '' : span(part, on);
      if (STYLES[part] !== undefined) on.add(part);
      for (const ended of ENDS[part] ?? []) on.delete(ended);
      return '';
    })
    .join('');
}

function span(text: string, on: ReadonlySet<string>): string {
  const styles = [...on].map(one => STYLES[one]).join(' ');
  return styles === '' ? escaped(text) : `<tspan ${styles}>${escaped(text)}</tspan>`;
}

function escaped(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return shown.replace(/ (?= )|^ /g, '\u00a0'); // of several blanks a browser shows one
}
