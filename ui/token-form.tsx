// Asks for the control token, if the server needs one.
import { useSignal } from '@preact/signals';
import { client, watchAgain } from './live/sandbox.js';
import { EmptyState } from './parts/empty-state.js';

export function TokenForm() {
  const token = useSignal('');
  const show = (event: Event) => {
    event.preventDefault();
    client.token = token.peek();
    watchAgain();
  };
  return (
    <EmptyState title="The control API takes a token">
      <p>
        The server printed it when it started, unless it was given with --control-token. It is kept for this tab only.
      </p>
      <form class="inline" onSubmit={show}>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            required
            autocomplete="off"
            value={token.value}
            onInput={event => (token.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </EmptyState>
  );
}
