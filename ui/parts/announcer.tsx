// Announcements for screen readers.
import { signal } from '@preact/signals';

const said = signal('');

export function announce(text: string): void {
  said.value = '';
  requestAnimationFrame(() => (said.value = text));
}

export function Announcer() {
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}
