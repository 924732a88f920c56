// A form with its button, its error and what it does: each form of the dashboard but those of schemas, which are inside one.
import type { ComponentChildren } from 'preact';
import { Button } from '../button.js';
import { ProblemNote } from '../problem-note.js';
import { useAction } from '../resource.js';

interface Props {
  /** Of the button that sends it. */
  readonly action: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly children: ComponentChildren;
  /** Whether the button stands beside the fields. */
  readonly isInline?: boolean;
  /** Whether there is nothing to send. */
  readonly isOff?: boolean;
  /** Beside the button. */
  readonly others?: ComponentChildren;
}

export function Form({ action, onSubmit, children, isInline = false, isOff = false, others }: Props) {
  const { error, isBusy, run } = useAction();
  return (
    <form
      class={isInline ? 'inline' : ''}
      onSubmit={event => {
        event.preventDefault();
        run(onSubmit);
      }}
    >
      {children}
      {!isInline && <ProblemNote error={error} />}
      <div class="actions">
        <Button type="submit" class="primary" isBusy={isBusy} isOff={isOff}>
          {action}
        </Button>
        {others}
      </div>
      {isInline && <ProblemNote error={error} />}
    </form>
  );
}
