// Why a state cannot be, in words. Knows neither who was asked for it nor how.
import type { NoState, StateProblem } from '../../scenario/states/provider-setup.js';

/** `The state "group exists" cannot be: /name must be text, and it is the number 7.` One that there is not names itself. */
export function tellNoState(state: string, { problems, isUnknown }: NoState): string {
  const says = problems.map(told).join(' ');
  return isUnknown ? says : tellWhy(state, says);
}

/** `says`: sentences. */
export function tellWhy(state: string, says: string): string {
  return `The state ${JSON.stringify(state)} cannot be: ${says}`;
}

function told({ message, pointer = '' }: StateProblem): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return message.startsWith(pointer) ? sentence : `${pointer} ${sentence}`;
}
