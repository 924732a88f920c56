// The pane beside a table: one record or request, with a way back to the list.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly label: string;
  readonly title: ComponentChildren;
  /** The address of the list. */
  readonly list: string;
  readonly children: ComponentChildren;
}

export function Detail({ label, title, list, children }: Props) {
  return (
    <section class="pane detail" aria-label={label}>
      <header class="detail-head">
        <a class="quiet button back" href={list} aria-label="Back to the list">
          ←
        </a>
        <h2>{title}</h2>
        <a class="quiet button" href={list} aria-label="Close">
          ✕
        </a>
      </header>
      <div class="detail-body">{children}</div>
    </section>
  );
}
