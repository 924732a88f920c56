// A sentence of the ledger: what stands between backticks is code.

export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={`${i}`}>{part}</code> : part))}</>;
}
