// Colours, where they are wanted: by node's own table. Knows nothing of what is painted.
import { styleText } from 'node:util';

export type Format = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;
/** Text in a format, or as it was; `reset` is no format. */
export type Paint = (format: Format | Format[], text: string) => string;

/** FORCE_COLOR has the last word, as in node; then NO_COLOR; a terminal that is dumb takes none. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (none !== undefined && none !== '') return false;
  return isTerminal && terminal !== 'dumb';
}

export function painter(isColoured: boolean): Paint {
  if (!isColoured) return (_, text) => text;
  return (format, text) =>
    text === '' || format === 'reset' ? text : styleText(format, text, { validateStream: false });
}
