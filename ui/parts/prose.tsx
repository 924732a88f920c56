// A sentence of the ledger with `code` in backticks.

export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={`${i}`}>{part}</code> : part))}</>;
}
