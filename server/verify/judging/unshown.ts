// Answers that the document allows as well and no gap covers: another status for a refusal that the document does not describe, another number of
// messages.

import { isObject } from '../../domain/form/patch.js';
import { parsedJson } from '../../engine/parsed-json.js';
import type { Answered } from '../../scenario/play/target.js';

export interface Unshown {
  /** What the contract relies on if this other answer does not meet its expectation. */
  readonly says: string;
  readonly answer: Answered;
}

/** The refusals whose status the document gives. */
const shownRefusals: readonly string[] = [
  'ppf.needs-recipient',
  'ppf.needs-item',
  'ppf.authenticated',
  'ppf.admin-only',
  'ppf.licensed-only',
];

/** Other answers that the document allows as well as this one. `rules`: what decided it. */
export function alternativesTo(answer: Answered, rules: readonly string[]): readonly Unshown[] {
  return answer.status >= 400 ? ofRefusal(answer, rules) : ofMessages(answer);
}

function ofRefusal(answer: Answered, rules: readonly string[]): readonly Unshown[] {
  const { status } = answer;
  const isInvalid = status === 400 && rules.includes('address.ppf-path'); // an invalid request to push or pull is documented as 400
  if (isInvalid || rules.some(rule => shownRefusals.includes(rule))) return [];
  const says = `The document does not give the status ${status}, and no reading does: another server may answer with another.`;
  return [{ says, answer: { ...answer, status: status === 422 ? 400 : 422 } }];
}

function ofMessages(answer: Answered): readonly Unshown[] {
  const body = parsedJson(answer.text);
  if (!isObject(body) || !Array.isArray(body.messages) || body.messages.length === 0) return [];
  const messages = [...body.messages, 'The request was not processed completely'];
  const says = `The document does not say how many messages there are: this interaction expects ${body.messages.length}.`;
  return [{ says, answer: withBody(answer, { ...body, messages }) }];
}

function withBody(answer: Answered, body: object): Answered {
  const text = JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  const fields = answer.fields.map(([name, value]) =>
    name === 'content-length' ? ([name, String(bytes.length)] as const) : ([name, value] as const),
  );
  return { ...answer, text, bytes, fields, headers: Object.fromEntries(fields) };
}
