// The question before anything is lost: one dialog for all dangerous actions.
import { signal } from '@preact/signals';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

interface Question {
  readonly title: string;
  readonly text: string;
  /** Label of the button that does it. */
  readonly action: string;
}

const asked = signal<(Question & { readonly reply: (isConfirmed: boolean) => void }) | undefined>(undefined);

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
      <p>{text}</p>
      <div class="actions">
        <Button data-first onClick={() => reply(false)}>
          Cancel
        </Button>
        <Button class="danger" onClick={() => reply(true)}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
