// One fault or stub: its sentence, its counts, and buttons.
import type { ComponentChildren } from 'preact';
import type { ArmedFault, ArmedStub } from '../client/wire.js';
import { now } from '../live/clock.js';
import { Button } from '../parts/button.js';
import { isUsedUp } from './fault-text.js';

interface ArmedRowProps {
  readonly armed: ArmedFault | ArmedStub;
  readonly text: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
  readonly onRelease: (hold: string) => void;
  readonly children?: ComponentChildren;
}

export function ArmedRow({ armed, text, isBusy, onRemove, onRelease, children }: ArmedRowProps) {
  const { matched, fired } = armed;
  const isFault = 'effect' in armed;
  const hold = isFault ? armed.effect.hold : undefined;
  const isOver = isUsedUp(armed, now.value);
  return (
    <li class={`armed ${isOver ? 'is-used-up' : ''}`}>
      <bdi class="sentence">{text}</bdi>
      <span class={`badge ${isFault && fired > 0 && !isOver ? 'fault' : 'same'}`}>
        {isOver && 'used up, '}
        {isFault ? 'affected' : 'answered'} {fired} of {matched}
      </span>
      {children}
      {hold !== undefined && (
        <Button class="quiet" isOff={isBusy} onClick={() => onRelease(hold)} aria-label={`Release ${hold}`}>
          Release
        </Button>
      )}
      <Button class="quiet" isOff={isBusy} onClick={onRemove} aria-label={`Remove: ${text}`}>
        Remove
      </Button>
    </li>
  );
}
