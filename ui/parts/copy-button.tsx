// A button that copies a text.
import { useSignal } from '@preact/signals';
import { announce } from './announcer.js';

export function CopyButton({
  text,
  children,
}: {
  readonly text: () => string | Promise<string>;
  readonly children: string;
}) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await writeText(await text());
    isCopied.value = true;
    announce('Copied');
    setTimeout(() => (isCopied.value = false), 1_500);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {isCopied.value ? 'Copied ✓' : children}
    </button>
  );
}

/** Pages over plain HTTP beyond loopback have no clipboard API: select the text and copy it. */
async function writeText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr-only';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
