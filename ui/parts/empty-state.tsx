// What stands where there is nothing to see (yet): the reason, and what to do next.
import type { ComponentChildren } from 'preact';
import { ProblemNote } from './problem-note.js';
import type { Resource } from './resource.js';

interface Props {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** One line within a card or a dialog. */
  readonly isSmall?: boolean;
  /** Whether it is announced, since something else will follow. */
  readonly isLoading?: boolean;
}

export function EmptyState({ title, children, isSmall = false, isLoading = false }: Props) {
  const Element = isSmall ? 'p' : 'div';
  return (
    <Element
      class={`${isSmall ? 'muted' : 'empty'} ${isLoading ? 'loading' : ''}`}
      role={isLoading ? 'status' : undefined}
    >
      {isSmall ? title : <h2>{title}</h2>} {children}
    </Element>
  );
}

interface LoadedProps<T> {
  readonly of: Resource<T>;
  /** What is loading. */
  readonly title?: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was read; until then, that it loads; or why it could not be read. */
export function Loaded<T>({ of: { value, error }, title = 'Loading…', children }: LoadedProps<T>) {
  return (
    <>
      <ProblemNote error={error} />
      {value === undefined && error === undefined && <EmptyState isSmall isLoading title={title} />}
      {value !== undefined && children(value)}
    </>
  );
}
