// Opened files: each becomes a sandbox, and a scenario in it can be played until the tab is closed.
import { signal } from '@preact/signals';
import { ControlError } from '../client/control-client.js';
import type { OpenedFile } from '../client/wire.js';
import { goTo } from '../live/route.js';
import { client } from '../live/sandbox.js';

/** Why the last file could not be opened. */
export const unopened = signal<{ readonly file: string; readonly error: unknown } | undefined>(undefined);

/** By the name of its sandbox. */
export const openedFiles = signal<ReadonlyMap<string, OpenedFile>>(new Map());

const MAX_BYTES = 1024 * 1024;

export async function openFile(file: File): Promise<void> {
  unopened.value = undefined;
  try {
    if (file.size > MAX_BYTES)
      throw new Error(
        `${file.name} has ${file.size} bytes, and the maximum is ${MAX_BYTES}. Serve it: cwx-fake serve ./${file.name}`,
      );
    const opened = { file: file.name, text: await file.text() };
    const sandbox = await newSandbox(opened);
    const { steps } = await client.in(sandbox).preview(opened);
    openedFiles.value = new Map([...openedFiles.peek(), [sandbox, opened]]);
    goTo(steps.length === 0 ? { sandbox, view: 'world' } : { sandbox, view: 'theatre', rest: [sandbox] });
  } catch (error) {
    unopened.value = { file: file.name, error };
  }
}

/** A sandbox that no file was opened in before: `opened-name`, `opened-name-2`, … */
async function newSandbox(opened: OpenedFile): Promise<string> {
  const name = opened.file.replace(/\.(ya?ml|json)$/, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const sandbox = `opened-${name}`.slice(0, 64 - end.length) + end;
    try {
      await client.create({ name: sandbox, ...opened });
      return sandbox;
    } catch (error) {
      if (!(error instanceof ControlError && error.status === 409)) throw error;
    }
  }
}
