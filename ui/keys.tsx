// The keys of the whole page, and their list.
import { signal } from '@preact/signals';
import { Dialog } from './parts/dialog.js';
import { forgetUndo } from './parts/undo.js';

const keys = [
  ['/', 'Filter or find in this view'],
  ['↑ ↓ Page Up Page Down Home End', 'Move through a table'],
  ['Ctrl Enter', 'Save a record that is edited as JSON'],
  ['Esc', 'Close the nearest thing: a dialog, a menu, a record, a request'],
  ['→ ← Space', 'Theatre: next, back'],
  ['R O N F', 'Theatre: restart, outline, notes in a second window, full screen'],
  ['?', 'This list'],
] as const;

const isOpen = signal(false);

addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open], :popover-open') !== null) return; // closes by itself
  const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null;
  const field = isTyping ? target.closest<HTMLElement>('.detail :focus') : null;
  if (field !== null && key === 'Escape')
    field.blur(); // first, so that nothing that was typed disappears unseen
  else if (isTyping) return;
  else if (key === 'Escape') {
    const close = document.querySelector<HTMLElement>('.detail [aria-label="Close"]');
    if (close === null) forgetUndo();
    else close.click();
  } else if (key === '?') isOpen.value = true;
  else if (key === '/') document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
  else return;
  event.preventDefault();
});

export function Keys() {
  if (!isOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (isOpen.value = false)}>
      <ul class="rows">
        {keys.map(([key, does]) => (
          <li key={key}>
            <kbd>{key}</kbd> {does}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
