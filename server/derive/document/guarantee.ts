// What the document promises about the response to one request: which parts it fixes, types or leaves open. Pure.
import { isObject } from '../../domain/form/patch.js';
import { rules } from '../../operations/catalog/catalog.js';
import { statementAt } from '../../operations/catalog/statements.js';
import type { Operation } from '../../operations/operation.js';
import { type RefusalCode, refusalSpec } from '../../operations/refusals.js';
import type { JsonSchema } from '../../operations/schema.js';
import { replyGap } from './documented-statuses.js';
import { type AskedAbout, type OwnChoice, ownChoices } from './own-choices.js';
import type { Finding } from './violation.js';

/** `fixed`: the document gives the value; `typed`: only its type; `open`: it is silent. `says`: the sentence about it. */
interface Promised {
  readonly is: 'fixed' | 'typed' | 'open';
  readonly says: string;
}

/** A field is a fixed truth value, or a list of at least so many texts. */
export type PromisedField = Promised & ({ readonly value: boolean } | { readonly atLeast: number });

/** One way in which a server that keeps the document may respond. Headers other than the content type are open. */
export interface Guarantee {
  readonly status: Promised & { readonly from: number; readonly to: number };
  /** Typed: JSON, with or without parameters. */
  readonly contentType: Promised;
  /** The fields of an object, which may have others; absent if the body is open. */
  readonly body: Promised & { readonly fields?: Readonly<Record<string, PromisedField>> };
  /** A response that any request may get, such as one about limits: nothing is called undocumented because of it. */
  readonly isAside?: true;
}

/** A request, the findings about it, and how it was decided. */
export interface Decided {
  readonly asked: AskedAbout;
  readonly findings: readonly Finding[];
  readonly status: number;
  /** Why it was refused. */
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  /** The body of the response, parsed. */
  readonly body: unknown;
}

export const HEADERS_OPEN = 'The document names no header of a response but the content type.';
export const FIELDS_OPEN = 'The document does not exclude further fields.';
const NO_RULE = 'The document does not describe what this request asks for.';
const NO_ERROR_BODY = 'The document does not show the body of a refusal.';

/** The ways in which a server that keeps the document may respond. The first is the way that was decided. */
export function guaranteesOf(decided: Decided): readonly Guarantee[] {
  const { asked, findings, status, refused } = decided;
  const concerned = ownChoices.filter(choice => choice.concerns?.(asked) === true);
  const first = decidedGuarantee(decided);
  const isAccepted = refused === undefined && status < 300;
  const undocumented = findings.find(({ gap }) => gap === undefined);
  return [
    first,
    ...concerned.flatMap(choice => openedBy(choice, first)),
    ...(isAccepted && undocumented !== undefined
      ? [open(400, 599, `The document has ${undocumented.expected} here: another server may refuse the request.`)]
      : []),
    ...(asked.operation?.family === 'ppf' && isByRule(decided) && first.status.is === 'open' && isObjectBody(asked)
      ? [processed(asked.operation, { success: false }, ['ppf.failure-message'])]
      : []),
    ...(asked.operation === undefined ? [] : asides(asked.operation, isAccepted)),
  ];
}

/** The rules behind a refusal. Wrong credentials are none, and push and pull require some. */
export function rulesBehind(refused: RefusalCode): readonly string[] {
  return refused === 'bad-credentials' ? ['ppf.authenticated'] : (refusalSpec(refused).rules ?? []);
}

function decidedGuarantee(decided: Decided): Guarantee {
  const { asked, status, refused, rules: applied, body } = decided;
  const { operation } = asked;
  if (refused !== undefined && operation?.family === 'ppf') {
    const rule = rulesBehind(refused).find(name => Object.hasOwn(operation.rules, name));
    if (rule !== undefined) return refusal({ is: 'fixed', says: sentence(rule), from: status, to: status });
  }
  if (refused !== undefined)
    return isByRule(decided)
      ? open(300, 599, 'The document requires a refusal, and does not give its status.')
      : open(200, 599, operation === undefined ? NO_RULE : statementAt('7-4'));
  if (operation === undefined || status >= 300) return open(200, 599, NO_RULE);
  return replyGap(operation) === undefined
    ? processed(operation, body, applied)
    : open(200, 299, statementAt('4.5-11')); // HTTP itself gives the class;
}

/** A push or pull of wrong types may be processed, with an error. */
function isObjectBody({ body }: AskedAbout): boolean {
  return body.kind === 'json' && isObject(body.value);
}

/** Whether a rule demands the refusal, and no gap. */
function isByRule({ refused, findings }: Decided): boolean {
  const spec = refused === undefined ? undefined : refusalSpec(refused);
  if (spec === undefined || spec.gap !== undefined) return false;
  return spec.rules !== undefined || findings.some(({ rule }) => rule !== undefined);
}

function openedBy({ request, opens }: OwnChoice, first: Guarantee): readonly Guarantee[] {
  const says = `The document leaves this open: ${request}.`;
  const { success } = first.body.fields ?? {};
  if (opens !== 'success' || first.body.is === 'open') return [open(200, 599, says)];
  if (success === undefined || !('value' in success)) return [];
  const fields = { ...first.body.fields, success: { is: 'open' as const, says, value: !success.value } };
  return [{ ...first, body: { ...first.body, fields } }];
}

/** Limits, availability, and who may call the extension. */
function asides({ family }: Operation, isAccepted: boolean): readonly Guarantee[] {
  const aside = (from: number, to: number, says: string) => ({ ...open(from, to, says), isAside: true as const });
  return [
    ...[413, 414, 429, 431].map(status => aside(status, status, statementAt('8-1'))),
    aside(502, 504, 'The document does not say how a server responds that is not available.'),
    ...(family === 'wiki' && isAccepted ? [401, 403].map(status => aside(status, status, statementAt('5-5'))) : []),
  ];
}

function open(from: number, to: number, says: string): Guarantee {
  return { status: { is: 'open', says, from, to }, contentType: { is: 'open', says }, body: { is: 'open', says } };
}

function refusal(status: Guarantee['status']): Guarantee {
  const unshown = { is: 'open', says: NO_ERROR_BODY } as const;
  return { status, contentType: unshown, body: unshown };
}

/** A request that was processed, by the documented schema of its response. */
function processed({ replies }: Operation, body: unknown, applied: readonly string[]): Guarantee {
  const [reply] = replies;
  const schema = reply?.body ?? {};
  const says = sentence(String(schema['x-rule']));
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>; // as the schema builder writes them
  const values = (body ?? {}) as Readonly<Record<string, unknown>>; // the fake's own response
  const status = reply?.status ?? 200;
  return {
    status: { is: 'fixed', says, from: status, to: status },
    contentType: {
      is: 'typed',
      says: 'The document gives the content type application/json, and does not show its parameters.',
    },
    body: {
      is: 'typed',
      says,
      fields: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, promisedField(field, values[name], applied)]),
      ),
    },
  };
}

/** If its rule applies, a list has something to say. */
function promisedField(schema: JsonSchema, value: unknown, applied: readonly string[]): PromisedField {
  const rule = String(schema['x-rule']);
  if (schema.type === 'boolean') return { is: 'fixed', says: sentence(rule), value: value === true };
  const says = 'The document gives neither the number nor the order nor the wording of messages.';
  return { is: 'typed', says, atLeast: applied.includes(rule) ? 1 : 0 };
}

function sentence(rule: string): string {
  return rules[rule]?.says ?? rule;
}
