// A rule, guess or fault that decided a response.
import type { ComponentChildren } from 'preact';
import { Prose } from './prose.js';

interface Props {
  readonly kind: 'rule' | 'guess' | 'fault';
  readonly name: string;
  /** With `code` in backticks. */
  readonly text: string | undefined;
  readonly children?: ComponentChildren;
}

export function Reason({ kind, name, text = '', children }: Props) {
  return (
    <li class={`reason ${kind}`}>
      <code>{name}</code>
      <p>
        <Prose text={text} />
      </p>
      {children}
    </li>
  );
}
