// Asks for the control token, if the server requires one.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ControlError } from './client/control-client.js';
import { client, watchAgain } from './live/sandbox.js';
import { EmptyState } from './parts/empty-state.js';
import { bound, Field } from './parts/field.js';
import { Form } from './parts/form/form.js';

export function TokenForm() {
  const token = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const unlock = async () => {
    client.token = token.peek();
    try {
      await client.sandboxes();
      watchAgain();
    } catch (error) {
      client.token = '';
      field.current?.focus();
      field.current?.select();
      throw error instanceof ControlError && error.status === 401 ? new Error('That token is not valid') : error;
    }
  };
  return (
    <EmptyState title="Control token required">
      <p>The server printed it at start, unless --control-token set one. This tab remembers it until it is closed.</p>
      <Form action="Unlock" onSubmit={unlock} isInline>
        <Field label="Token" {...bound(token)} field={field} type="password" required autocomplete="off" />
      </Form>
    </EmptyState>
  );
}
