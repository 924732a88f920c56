// Opened files: each becomes a sandbox, and a scenario in it can be played until the tab is closed.
import { signal } from '@preact/signals';
import type { OpenedFile } from '../client/wire.js';
import { goTo } from '../live/route.js';
import { client } from '../live/sandbox.js';

/** The result of opening the last file. */
export const opening = signal<{ readonly file: string; readonly error?: unknown } | undefined>(undefined);

/** By the name of its sandbox. */
export const openedFiles = signal<ReadonlyMap<string, OpenedFile>>(new Map());

const MAX_BYTES = 1024 * 1024;

export async function openFile(file: File): Promise<void> {
  opening.value = { file: file.name };
  try {
    if (file.size > MAX_BYTES)
      throw new Error(
        `${file.name} has ${file.size} bytes: serve a file of more than ${MAX_BYTES} with cwx-fake serve.`,
      );
    const opened = { file: file.name, text: await file.text() };
    const sandbox = sandboxFor(file.name);
    await client.replace(sandbox, opened);
    const { steps } = await client.in(sandbox).preview(opened);
    openedFiles.value = new Map([...openedFiles.peek(), [sandbox, opened]]);
    opening.value = undefined;
    goTo(steps.length === 0 ? { sandbox, view: 'world' } : { sandbox, view: 'theatre', rest: [sandbox] });
  } catch (error) {
    opening.value = { file: file.name, error };
  }
}

function sandboxFor(file: string): string {
  const name = file.replace(/\.(capsule\.)?(ya?ml|json)$/, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return `opened-${name}`.slice(0, 64);
}
