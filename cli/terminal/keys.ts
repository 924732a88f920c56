// The keys that control a play step by step. The terminal is always restored.
import { emitKeypressEvents } from 'node:readline';
import type { InputStream, OutputStream } from '../../server/process/command-process.js';

export type Key = 'on' | 'end' | 'interrupt';

interface Press {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

const PROMPT = 'Enter or Space: next step · q: end';
const CLEAR_LINE = '\r\u001b[2K';

/** The key for an input; `undefined` if it has no meaning. */
export function pressedKey({ name = '', ctrl = false }: Press): Key | undefined {
  if (ctrl) return name === 'c' ? 'interrupt' : name === 'd' ? 'end' : undefined;
  if (name === 'q') return 'end';
  return name === 'space' || name === 'return' || name === 'enter' ? 'on' : undefined;
}

/** Calls `use` with a function that prompts for a key. The end of the input and `interrupted` end the play. */
export async function withKeys(
  input: InputStream,
  output: Pick<OutputStream, 'write'>,
  interrupted: Promise<unknown>,
  use: (next: () => Promise<Key>) => Promise<void>,
): Promise<void> {
  const wasRaw = input.isRaw === true;
  const restore = () => input.setRawMode?.(wasRaw);
  let over: Key | undefined;
  let wanted: ((key: Key) => void) | undefined;
  const take = (key: Key) => {
    if (key !== 'on') over = key;
    wanted?.(key); // a key typed ahead is for a step that is not shown yet
  };
  const press = (_: string | undefined, pressed: Press) => {
    const key = pressedKey(pressed);
    if (key !== undefined) take(key);
  };
  const close = () => take('end');
  process.once('exit', restore);
  input.setRawMode?.(true);
  emitKeypressEvents(input);
  input.on('keypress', press);
  input.once('end', close);
  void interrupted.then(close);
  input.resume();
  try {
    await use(async () => {
      if (over !== undefined) return over;
      output.write(PROMPT);
      const key = await new Promise<Key>(resolve => {
        wanted = resolve;
      });
      wanted = undefined;
      output.write(CLEAR_LINE);
      return key;
    });
  } finally {
    input.off('keypress', press);
    input.off('end', close);
    input.pause();
    process.off('exit', restore);
    restore();
  }
}
