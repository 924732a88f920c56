// The requests whose responses a fault holds: asked for while there can be some, since no event says when one is released.
import { effect, signal } from '@preact/signals';
import { client, description, entries, settingsChanges } from './sandbox.js';

/** Names of holds by journal entry. */
export const waiting = signal<ReadonlyMap<number, string>>(new Map());

const OFTEN_MS = 500;
let timer: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const name = description.value?.name;
  const held = entries.value.findLast(({ fault }) => fault?.split(' ').includes('hold'))?.id;
  void settingsChanges.value;
  clearTimeout(timer);
  if (name === undefined || held === undefined) waiting.value = new Map();
  else void read(name);
});

async function read(name: string): Promise<void> {
  clearTimeout(timer);
  const found = await client
    .in(name)
    .faults()
    .catch(() => undefined); // a lost connection shows elsewhere
  if (description.peek()?.name !== name) return;
  const now = new Map(found?.waiting?.map(({ entry, hold }) => [entry, hold]));
  if (now.size > 0 || waiting.peek().size > 0) waiting.value = now;
  if (now.size > 0) timer = setTimeout(() => void read(name), OFTEN_MS);
}

/** Reads again at once, after a release. */
export function lookAgain(): void {
  const name = description.peek()?.name;
  if (name !== undefined) void read(name);
}
