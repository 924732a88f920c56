// An empty state: the reason, and what to do next.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** One line within a card or a dialog. */
  readonly isSmall?: boolean;
}

export function EmptyState({ title, children, isSmall = false }: Props) {
  if (isSmall)
    return (
      <p class="muted">
        {title} {children}
      </p>
    );
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
