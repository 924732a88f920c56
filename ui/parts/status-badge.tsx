// The status of a response.

export function StatusBadge({ status }: { readonly status: number }) {
  const kind = status < 300 ? 'good' : status < 400 ? 'moved' : status < 500 ? 'refused' : 'failed';
  return <span class={`badge status ${kind}`}>{status}</span>;
}
