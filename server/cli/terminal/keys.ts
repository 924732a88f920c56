// The keys that control a play, from typed input.
import { emitKeypressEvents } from 'node:readline';
import type { Readable } from 'node:stream';

/** `redraw` is not a key: the size of the terminal has changed. */
export type Key = 'on' | 'back' | 'restart' | 'end' | 'interrupt' | 'help' | 'redraw';

export interface Keys {
  /** The next key; `end` or `interrupt` if nothing more can come. */
  next(): Promise<Key>;
  /** Resolves on Ctrl-C or the end of input, regardless of queued keys. */
  readonly ended: Promise<void>;
  /** Discards queued keys, except the end. */
  forget(): void;
  /** Queues a key as if it was pressed. */
  press(key: Key): void;
  close(): void;
}

interface Press {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

const named: Readonly<Record<string, Key>> = {
  space: 'on',
  return: 'on',
  enter: 'on',
  n: 'on',
  right: 'on',
  b: 'back',
  left: 'back',
  r: 'restart',
  q: 'end',
  h: 'help',
};

/** The key for an input; `undefined` if it has no meaning. */
export function keyOf(text: string | undefined, { name = '', ctrl = false }: Press): Key | undefined {
  if (ctrl) return name === 'c' ? 'interrupt' : name === 'd' ? 'end' : undefined;
  if (text === '?') return 'help';
  return Object.hasOwn(named, name) ? named[name] : undefined;
}

/** The keys of a stream, until it ends or `interrupted` resolves. */
export function keysFrom(input: Readable, interrupted: Promise<unknown>): Keys {
  const waiting: Key[] = [];
  let wanted: ((key: Key) => void) | undefined;
  let over: Key | undefined;
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const take = (key: Key) => {
    if (wanted === undefined) waiting.push(key);
    else wanted(key);
    wanted = undefined;
  };
  const finish = (by: Key = 'end') => {
    over = by;
    end();
    take(by);
  };
  const press = (text: string | undefined, pressed: Press) => {
    const key = keyOf(text, pressed);
    if (pressed.ctrl && key !== undefined) finish(key);
    else if (key !== undefined) take(key);
  };
  emitKeypressEvents(input);
  input.on('keypress', press);
  const close = () => finish();
  input.once('end', close);
  void interrupted.then(close);
  input.resume();
  return {
    next: () =>
      over !== undefined
        ? Promise.resolve(over)
        : new Promise(resolve => {
            const key = waiting.shift();
            if (key === undefined) wanted = resolve;
            else resolve(key);
          }),
    ended,
    forget: () => {
      const ends = waiting.filter(key => key === 'end' || key === 'interrupt' || key === 'redraw');
      waiting.splice(0, waiting.length, ...ends);
    },
    press: take,
    close: () => {
      input.off('keypress', press);
      input.off('end', close);
      input.pause();
    },
  };
}
