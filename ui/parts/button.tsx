// A button that keeps the focus while it is unavailable: `aria-disabled`, since a disabled button loses it.
import type { ButtonHTMLAttributes } from 'preact';

interface Props extends Omit<ButtonHTMLAttributes, 'disabled' | 'aria-disabled' | 'aria-busy' | 'onClick'> {
  /** Whether a click does nothing at the moment. */
  readonly isOff?: boolean;
  /** Whether its action is running; shown if it takes long. */
  readonly isBusy?: boolean;
  readonly onClick?: () => void;
}

export function Button({ isOff = false, isBusy = false, onClick, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff || isBusy}
      aria-busy={isBusy || undefined}
      onClick={event => {
        if (isOff || isBusy) event.preventDefault();
        else onClick?.();
      }}
    />
  );
}
