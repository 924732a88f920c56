// The question before anything is lost: one dialog for all dangerous actions.
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { route } from '../live/route.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** Label of the button that does it; absent: it cannot be done yet. */
  readonly action?: string;
}

const asked = signal<(Question & { readonly reply: (isConfirmed: boolean) => void }) | undefined>(undefined);

effect(() => {
  void route.value; // a link in the question was followed
  asked.peek()?.reply(false);
});

/** Whether the user confirms. */
export function confirmed(question: Question): Promise<boolean> {
  asked.peek()?.reply(false);
  return new Promise(resolve => {
    asked.value = {
      ...question,
      reply: isConfirmed => {
        asked.value = undefined;
        resolve(isConfirmed);
      },
    };
  });
}

export function ConfirmDialog() {
  const { value } = asked;
  if (value === undefined) return null;
  const { title, text, action, reply } = value;
  return (
    <Dialog title={title} onClose={() => reply(false)}>
      <div>{text}</div>
      <div class="actions">
        <Button data-first onClick={() => reply(false)}>
          Cancel
        </Button>
        {action !== undefined && (
          <Button class="danger" onClick={() => reply(true)}>
            {action}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
