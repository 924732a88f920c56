// A modal dialog; the browser manages focus. It begins in the first field.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}

export function Dialog({ title, onClose, children, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const { current } = dialog;
    if (current === null) return;
    const closed = () => close.current();
    const opener = document.activeElement;
    current.showModal();
    const first = current.querySelector<HTMLElement>('[data-first], input, select, textarea');
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    current.addEventListener('close', closed);
    return () => {
      current.removeEventListener('close', closed);
      current.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class={isWide ? 'wide' : ''} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
