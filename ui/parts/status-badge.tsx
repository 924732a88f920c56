// The status of a response; of one that a fault still holds, that it waits.
import type { Entry } from '../client/wire.js';
import { waiting } from '../live/waiting.js';

export function Status({ status }: { readonly status: number }) {
  const kind = status < 300 ? 'good' : status < 400 ? 'moved' : status < 500 ? 'refused' : 'failed';
  return <span class={`badge status ${kind}`}>{status}</span>;
}

export function StatusBadge({ entry: { id, response } }: { readonly entry: Entry }) {
  const hold = waiting.value.get(id);
  if (hold === undefined) return <Status status={response.status} />;
  return (
    <span class="badge fault" title={`Held until ${hold} is released`}>
      waiting
    </span>
  );
}
