// What a contract may expect of the fake's answer that the document does not show and no gap asks about: which status a refusal has that the
// document says nothing of, and how many messages there are. Each is an answer that the document allows as well. Asks nobody.
import { isObject } from '../../domain/form/patch.js';
import type { Answered } from '../../scenario/play/target.js';

export interface Unshown {
  /** What the contract relies on where this answer is not what it expects. */
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
  const isInvalid = status === 400 && rules.includes('address.ppf-path'); // of push and pull an invalid request is 400
  if (isInvalid || rules.some(rule => shownRefusals.includes(rule))) return [];
  const says = `The document does not show that the status is ${status}: no reading of it says so, and another server may answer otherwise.`;
  return [{ says, answer: { ...answer, status: status === 422 ? 400 : 422 } }];
}

function ofMessages(answer: Answered): readonly Unshown[] {
  const body = parsed(answer.text);
  if (!isObject(body) || !Array.isArray(body.messages) || body.messages.length === 0) return [];
  const messages = [...body.messages, 'The request was not processed completely'];
  const says = `The document does not show how many messages there are: this one expects ${body.messages.length}.`;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a body that is no JSON has no messages
  }
}
