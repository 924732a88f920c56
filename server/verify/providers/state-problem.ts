// Messages about states that cannot be set up.
import type { NoState } from '../../scenario/states/provider-setup.js';
import type { ValidationError } from '../../scenario/yaml/problem.js';

/** `The state "group exists" cannot be set up: /name must be text, and it is the number 7.` The message about an unknown state names it already. */
export function noStateText(state: string, { problems, isUnknown }: NoState): string {
  const says = problems.map(problemText).join(' ');
  return isUnknown ? says : stateFailureText(state, says);
}

/** `says`: sentences. */
export function stateFailureText(state: string, says: string): string {
  return `The state ${JSON.stringify(state)} cannot be set up: ${says}`;
}

function problemText({ message, pointer = '' }: ValidationError): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return message.startsWith(pointer) ? sentence : `${pointer} ${sentence}`;
}
