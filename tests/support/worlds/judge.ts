// What a test says of a response in one line: done with these facts, or refused and nothing touched.
// The expected shapes are written out here, apart from the code that makes them.
import { expect } from 'chai';
import type { Fact } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import type { World } from '../../../server/domain/world/world.js';
import { type Asked, smallTeam } from './ask.js';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
};

export function teamWith(form: SparseWorldForm): World {
  return worldFrom(form, smallTeam);
}

/** It was done: 200, the body, and just these facts. */
export function expectDone(asked: Asked, facts: readonly Fact[], reply: unknown = {}): void {
  expect(asked.refused, JSON.stringify(asked.reply)).to.equal(undefined);
  expect(asked.status).to.equal(200);
  expect(asked.reply).to.deep.equal(reply);
  expect(asked.facts).to.deep.equal(facts);
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Only where the text is the subject. */
  readonly message?: string | RegExp;
  readonly rules?: readonly string[];
  /** All that are named, besides the one for the error body. */
  readonly gaps?: Readonly<Record<string, string>>;
  readonly on?: World;
}

/** One for each fault. */
function errorMessagesOf({ reply }: Asked): readonly string[] {
  return (reply as { readonly errorMessages: readonly string[] }).errorMessages; // the default error body of push and pull
}

/** It was refused in the default error body of its family, no fact came of it, and the world is the very same one. */
export function expectRefused(asked: Asked, refusal: Refusal): void {
  const { status, code, message, rules = [], gaps, on = smallTeam } = refusal;
  expect(asked.refused, JSON.stringify(asked.reply)).to.equal(code);
  expect(asked.status).to.equal(status);
  const said = messageOf(asked);
  if (typeof message === 'string') expect(said).to.equal(message);
  else expect(said).to.match(message ?? /\S/);
  const isPpf = asked.rules.includes('address.ppf-path');
  expect(asked.reply).to.deep.equal(
    isPpf
      ? { errorMessages: errorMessagesOf(asked), errors: {} }
      : { statusCode: status, message: said, reason: reasons[status] },
  );
  expect(asked.rules).to.include.members([...rules]);
  const errorBody = isPpf ? { 'ppf-error-body': 'jira' } : { 'wiki-error-body': 'confluence' };
  if (gaps !== undefined) expect(asked.gaps).to.deep.equal({ ...errorBody, ...gaps });
  expect(asked.facts).to.deep.equal([]);
  expect(asked.world).to.equal(on);
}

/** The message of a refusal, in either default error body. */
export function messageOf(asked: Asked): string {
  const reply = asked.reply as { message?: string; errorMessages?: string[] } | undefined;
  return reply?.message ?? reply?.errorMessages?.join('\n') ?? '';
}
