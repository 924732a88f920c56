// Asks for the control token, if the server requires one.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { client, watchAgain } from './live/sandbox.js';
import { Button } from './parts/button.js';
import { EmptyState } from './parts/empty-state.js';
import { Field } from './parts/field.js';
import { ProblemNote } from './parts/problem-note.js';
import { useAction } from './parts/resource.js';

export function TokenForm() {
  const token = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const { error, isBusy, run } = useAction();
  const unlock = (event: Event) => {
    event.preventDefault();
    run(async () => {
      client.token = token.peek();
      if (await client.isAllowed()) return watchAgain();
      client.token = '';
      field.current?.focus();
      field.current?.select();
      throw new Error('That token is not valid');
    });
  };
  return (
    <EmptyState title="Control token required">
      <p>The server printed it at start, unless --control-token set one. This tab remembers it until it is closed.</p>
      <form class="inline" onSubmit={unlock}>
        <Field label="Token" of={token} field={field} type="password" required autocomplete="off" />
        <Button type="submit" class="primary" isOff={isBusy.value}>
          Unlock
        </Button>
      </form>
      <ProblemNote error={error.value} />
    </EmptyState>
  );
}
