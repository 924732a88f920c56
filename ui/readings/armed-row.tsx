// One armed fault or stub: its sentence, its counts, and buttons.
import type { ArmedFault, ArmedStub } from '../client/wire.js';
import { now } from '../live/clock.js';
import { Button } from '../parts/button.js';
import { isSpent } from './fault-text.js';

interface ArmedRowProps {
  readonly armed: ArmedFault | ArmedStub;
  readonly text: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
  readonly hold?: string | undefined;
  readonly onRelease?: (hold: string) => void;
}

export function ArmedRow({ armed, text, isBusy, onRemove, hold, onRelease }: ArmedRowProps) {
  const { matched, fired } = armed;
  const isFault = 'effect' in armed;
  const remove = isFault ? 'Disarm' : 'Remove';
  const isOver = isSpent(armed, now.value);
  return (
    <li class={`armed ${isOver ? 'is-spent' : ''}`}>
      <bdi class="sentence">{text}</bdi>
      <span class={`badge ${isFault && fired > 0 && !isOver ? 'fault' : 'same'}`}>
        {isOver && 'spent, '}
        {isFault ? 'fired' : 'used'} {fired} of {matched}
      </span>
      {hold !== undefined && (
        <Button class="quiet" isOff={isBusy} onClick={() => onRelease?.(hold)} aria-label={`Release ${hold}`}>
          Release
        </Button>
      )}
      <Button class="quiet" isOff={isBusy} onClick={onRemove} aria-label={`${remove}: ${text}`}>
        {remove}
      </Button>
    </li>
  );
}
