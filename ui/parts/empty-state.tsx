// An empty state: the reason, and what to do next.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** One line within a card or a dialog. */
  readonly isSmall?: boolean;
  /** Whether it is announced, since something else will follow. */
  readonly isLoading?: boolean;
}

export function EmptyState({ title, children, isSmall = false, isLoading = false }: Props) {
  const role = isLoading ? 'status' : undefined;
  if (isSmall)
    return (
      <p class={`muted ${isLoading ? 'loading' : ''}`} role={role}>
        {title} {children}
      </p>
    );
  return (
    <div class={`empty ${isLoading ? 'loading' : ''}`} role={role}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
