// Terminal colours by Node's table.
import { styleText } from 'node:util';

export type TextStyle = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;
/** Formats text, or returns it unchanged; `reset` is not a format. */
export type Paint = (format: TextStyle | TextStyle[], text: string) => string;

/** FORCE_COLOR wins, as in Node; then NO_COLOR; dumb terminals get no colours. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (none !== undefined && none !== '') return false;
  return isTerminal && terminal !== 'dumb';
}

/** For what is written to a stream. */
export function painterFor(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  return painter(wantsColour(isTTY === true, env));
}

export function painter(isColoured: boolean): Paint {
  if (!isColoured) return (_, text) => text;
  return (format, text) =>
    text === '' || format === 'reset' ? text : styleText(format, text, { validateStream: false });
}
