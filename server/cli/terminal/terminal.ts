// The terminal while keys control it: raw mode, no cursor, a prompt. It is always restored.
import type { Input, Output } from '../../process/command-process.js';
import type { Canvas } from './draw.js';
import { type Keys, keysFrom } from './keys.js';
import type { Prompt } from './stepping.js';
import { fitted, widthOf } from './wrap.js';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE = '\r\u001b[2K';
const CLEAR_ALL = '\u001b[2J\u001b[H';

/** Gives the terminal to `use` and restores it, also on failure or process exit. `interrupted` ends the keys. */
export async function withTerminal<T>(
  input: Input,
  output: Pick<Output, 'write' | 'on' | 'off'>,
  canvas: () => Canvas,
  interrupted: Promise<unknown>,
  use: (keys: Keys, prompt: Prompt) => Promise<T>,
): Promise<T> {
  const wasRaw = input.isRaw === true;
  const restore = () => {
    input.setRawMode?.(wasRaw);
    output.write(SHOW_CURSOR);
  };
  process.once('exit', restore);
  input.setRawMode?.(true);
  output.write(HIDE_CURSOR);
  const keys = keysFrom(input, interrupted);
  const redraw = () => keys.press('redraw');
  output.on('resize', redraw);
  try {
    return await use(keys, promptOn(output, canvas));
  } finally {
    output.off('resize', redraw);
    keys.close();
    process.off('exit', restore);
    restore();
  }
}

function promptOn(output: Pick<Output, 'write'>, canvas: () => Canvas): Prompt {
  return {
    ask: texts => {
      const { width, paint } = canvas();
      const text = texts.find(candidate => widthOf(candidate) <= width - 1) ?? fitted(texts.at(-1) ?? '', width - 1);
      output.write(paint('inverse', text));
    },
    clear: () => output.write(CLEAR_LINE),
    wipe: () => output.write(CLEAR_ALL),
    print: line => output.write(`${line}\n`),
  };
}
