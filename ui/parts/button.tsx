// A button that keeps the focus while it is unavailable: `aria-disabled`, since a disabled button loses it.
import type { ButtonHTMLAttributes } from 'preact';

interface Props extends Omit<ButtonHTMLAttributes, 'disabled' | 'aria-disabled' | 'onClick'> {
  /** Whether a click does nothing at the moment. */
  readonly isOff?: boolean;
  readonly onClick?: () => void;
}

export function Button({ isOff = false, onClick, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff}
      onClick={event => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    />
  );
}
