// An empty state: the reason, and what to do next.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, children }: Props) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
