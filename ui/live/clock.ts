// The sandbox's time, updated every second while its clock runs.
import { effect, signal } from '@preact/signals';
import type { Clock } from '../client/wire.js';
import { client, description, settingsChanges } from './sandbox.js';

export const now = signal('');
export const isRunning = signal(true);
let read: { readonly clock: Clock; readonly at: number } | undefined;

effect(() => {
  const name = description.value?.name;
  void settingsChanges.value;
  if (name === undefined) return;
  client
    .in(name)
    .clock()
    .then(showClock, () => undefined); // a lost connection is told where it is watched
});

export function showClock(clock: Clock): void {
  read = { clock, at: Date.now() };
  isRunning.value = clock.running;
  tick();
}

function tick(): void {
  if (read === undefined) return;
  const gone = read.clock.running ? Date.now() - read.at : 0;
  now.value = new Date(Date.parse(read.clock.now) + gone).toISOString();
}
setInterval(tick, 1_000);
