// The last change that was made here, with a button that takes it back: the sandbox is rewound.
import { signal } from '@preact/signals';
import { route } from '../live/route.js';
import { client, version } from '../live/sandbox.js';
import { announce } from './announcer.js';
import { Button } from './button.js';
import { confirmed } from './confirm.js';
import { ProblemNote } from './problem-note.js';
import { useAction } from './resource.js';

interface Done {
  readonly sandbox: string;
  readonly text: string;
  /** The versions around it. */
  readonly before: number;
  readonly after: number;
}

const done = signal<Done | undefined>(undefined);

/** Performs a change of the shown sandbox, and offers to undo it. `text`: what was done. */
export async function undoable(text: string, change: () => Promise<unknown>): Promise<void> {
  const { sandbox } = route.peek();
  const { version: before } = await client.in(sandbox).describe();
  await change();
  const { version: after } = await client.in(sandbox).describe();
  if (after > before) done.value = { sandbox, text, before, after };
  announce(text);
}

export const forgetUndo = () => (done.value = undefined);

export function UndoBar() {
  const { error, isBusy, run } = useAction();
  const { value } = done;
  if (value === undefined || value.sandbox !== route.value.sandbox) return null;
  const undo = async () => {
    const { sandbox, text, before, after } = value;
    const later = version.peek() - after;
    const question = `${later === 1 ? 'One later change' : `${later} later changes`} would be undone too.`;
    if (later > 0 && !(await confirmed({ title: 'Undo', text: question, action: 'Undo all' }))) return;
    run(() => undoable(`Undone: ${text}`, () => client.in(sandbox).rewind(before)));
  };
  return (
    <section class="undo" aria-label="Last change">
      <bdi>{value.text}</bdi>
      <Button class="link" isBusy={isBusy} onClick={() => void undo()}>
        Undo
      </Button>
      <button type="button" class="quiet" aria-label="Dismiss" onClick={forgetUndo}>
        ✕
      </button>
      <ProblemNote error={error} />
    </section>
  );
}
