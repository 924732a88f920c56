// The stage `body`: parses the body of an operation, settles it by the readings and validates it against its schema.
import { isObject } from '../../../domain/form/patch.js';
import { quoted } from '../../../operations/lookups.js';
import type { BodySpec, Operation } from '../../../operations/operation.js';
import { firstFive, type Grounds, isRefused, type Refused } from '../../../operations/provenance.js';
import type { RefusalCode } from '../../../operations/refusals.js';
import type { JsonSchema } from '../../../operations/schema.js';
import { exactIntegers } from '../exact-integers.js';
import { withFieldTypes } from '../field-types.js';
import { type MisspelledField, misspelledFields, misspellingSentence } from '../misspelled-fields.js';
import type { Body } from '../request.js';
import { excessOf } from '../request.js';
import { everyOperation, isResource, noOperation, type OperationProgress, stage } from '../stage.js';
import { contrast, isValid, type SchemaError, schemaErrors } from '../validate.js';
import { bodyUnderReadings, fieldNames, type MissingGap, missingGap, unknownGap } from './body-fields.js';
import { readResourceBody } from './resource-stages.js';

/** Whether a number of a JSON text may be beyond the exact ones. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]/;

const takesBody = ({ body }: Operation) => body !== undefined;
const takesAlias = ({ body }: Operation) => body?.alias !== undefined;
const takesEmptyLists = ({ body }: Operation) => body?.emptyLists !== undefined;
const needs = ({ body }: Operation, gap: MissingGap) => body !== undefined && missingGaps(body).includes(gap);
const unknownGaps = ({ body }: Operation) => (body === undefined ? [] : [unknownGap(body)]);
const needsRecipient = (operation: Operation) => constraintRules(operation).includes('ppf.needs-recipient');
const needsItem = (operation: Operation) => constraintRules(operation).includes('ppf.needs-item');

export const body = stage({
  name: 'body',
  steps: [
    { name: 'size', concerns: everyOperation, refusals: ['body-too-large'] },
    {
      name: 'body',
      concerns: takesBody,
      refusals: [
        'body-encoding',
        'body-cut-short',
        'body-content-type',
        'body-not-utf8',
        'body-not-json',
        'body-shape',
        'list-limit',
      ],
      gaps: ['content-type', 'field-type', 'null-field', 'list-limit'],
      rules: rulesOfBody,
    },
    {
      name: 'unknown-fields',
      concerns: takesBody,
      refusals: unknownGaps,
      gaps: unknownGaps,
      rules: ['address.case-sensitive'],
    },
    {
      name: 'body-fields',
      concerns: operation => needs(operation, 'missing-field'),
      refusals: ['body-absent', 'missing-field'],
      gaps: ['missing-field'],
      isSpecific: true,
    },
    {
      name: 'body-lists',
      concerns: operation => needs(operation, 'missing-list'),
      refusals: ['lists-absent', 'missing-list'],
      gaps: ['missing-list'],
      isSpecific: true,
    },
    { name: 'alias', concerns: takesAlias, gaps: ['all-group-field'] },
    { name: 'empty-lists', concerns: takesEmptyLists, gaps: ['ppf-empty-arrays'] },
    { name: 'recipients', concerns: needsRecipient, refusals: ['ppf-no-recipient'], isSpecific: true },
    { name: 'items', concerns: needsItem, refusals: ['ppf-no-item'], isSpecific: true },
    { name: 'body-of-resource', concerns: noOperation, refusals: ['rest-api-bad-request'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation, request } = progress;
    if (request.body.kind === 'too-large') {
      return given.refuse('body-too-large', `The body ${excessOf(request.body)}.`); // even if the operation ignores it
    }
    if (isResource(operation)) return readResourceBody(progress, operation, given);
    const { body: spec } = operation;
    if (spec === undefined) return undefined;
    const read = readBody(spec, request.body, request.contentType, given);
    if (isRefused(read)) return read;
    const isFit = isValid(spec.schema, read.value);
    const typed = isFit ? read.value : withFieldTypes(spec, read.value, read.text, given);
    const errorsIn = (value: unknown) =>
      asSent(schemaErrors(spec.schema, value, { length: read.text.length }), spec, typed);
    const errorKinds = new Set<RefusalCode>();
    const settled = bodyUnderReadings(spec, typed, given, filled => {
      const further = errorsIn(filled);
      for (const { rule = bodyRule(spec) } of further) given.applies(rule);
      for (const error of further) errorKinds.add(kindOf(error));
      return sentencesOn(further);
    });
    if (isRefused(settled)) return together(settled, errorKinds);
    const wrong = isFit && settled.value === typed ? [] : errorsIn(settled.value);
    const misspelt = wrong.length === 0 ? [] : misspelledFields(spec.schema, typed, spec.alias?.name);
    if (wrong.length > 0) return refuseInvalid(wrong, misspelt, bodyRule(spec), given);
    given.applies(bodyRule(spec));
    progress.body = MAY_BE_INEXACT.test(read.text) ? exactIntegers(spec, settled.value, read.text) : settled.value;
    return undefined;
  },
});

type ReadGrounds = Grounds<
  | 'body-content-type'
  | 'body-absent'
  | 'lists-absent'
  | 'body-not-json'
  | 'body-not-utf8'
  | 'body-encoding'
  | 'body-cut-short',
  'content-type' | MissingGap,
  string
>;

/** The value of the body; each reason why it has none is a refusal of its own. */
function readBody(
  spec: BodySpec<unknown>,
  body: Exclude<Body, { readonly kind: 'too-large' }>,
  contentType: string,
  given: ReadGrounds,
): { readonly value: unknown; readonly text: string } | Refused {
  const isTyped = body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8';
  if (isTyped && !isJsonType(contentType) && given.reading('content-type') === '415') {
    return given.refuse(
      'body-content-type',
      `The body has ${contentType === '' ? 'no content type' : `the content type ${quoted(contentType)}`}: send application/json.`,
    );
  }
  switch (body.kind) {
    case 'json':
      given.applies('address.json-bodies');
      return { value: body.value, text: body.text };
    case 'absent':
      return absentBody(spec, given);
    case 'not-json':
      return given.refuse('body-not-json', `The body is not JSON: ${body.problem}.`);
    case 'not-utf8':
      return given.refuse('body-not-utf8', 'The body is not valid UTF-8: send JSON encoded as UTF-8.');
    case 'encoding':
      return given.refuse('body-encoding', `${body.problem}: send the body uncompressed, or with gzip, deflate or br.`);
    case 'cut-short':
      return given.refuse('body-cut-short', `The body could not be read completely: ${body.problem}.`);
  }
}

/** The gaps that say whether a body may be missing; none if its own constraints say what is missing. */
export function missingGaps({ schema: json }: BodySpec<unknown>): readonly MissingGap[] {
  if (json.allOf !== undefined) return [];
  if (json.type === 'array') return ['missing-field'];
  const properties = Object.values(json.properties as Readonly<Record<string, JsonSchema>>); // as the schema builder writes them
  return [...new Set(properties.map(missingGap))];
}

function absentBody(
  spec: BodySpec<unknown>,
  given: ReadGrounds,
): { readonly value: unknown; readonly text: string } | Refused {
  const json = spec.schema;
  const due = missingGaps(spec).filter(gap => given.reading(gap) === '400');
  if (due.length === 0) return { value: json.type === 'array' ? [] : {}, text: '' };
  const properties = Object.entries((json.properties ?? {}) as Readonly<Record<string, JsonSchema>>); // as the schema builder writes them
  const names = properties.filter(([, field]) => due.includes(missingGap(field))).map(([name]) => name);
  const wanted = json.type === 'array' ? 'a JSON array' : 'a JSON object';
  const lacking = names.length === 0 ? '' : ` with ${fieldNames(names)}`;
  return given.refuse(
    due.includes('missing-field') ? 'body-absent' : 'lists-absent',
    `The body is missing: send ${wanted}${lacking} as application/json.`,
  );
}

/** Schema errors at the place that was sent, if an alias of a field was sent, alone or beside it. */
function asSent(wrong: readonly SchemaError[], { alias }: BodySpec<unknown>, sent: unknown): readonly SchemaError[] {
  if (alias === undefined || !isObject(sent) || !Object.hasOwn(sent, alias.name)) return wrong;
  const { name, of } = alias;
  const [own, other] = [sent[of], sent[name]];
  const isOwn = own !== null && own !== undefined && !Array.isArray(own); // it is taken, whatever the alias is
  const before = Array.isArray(own) && Array.isArray(other) ? own.length : 0;
  return wrong.map(error => {
    const [, field, place, rest = ''] = /^\/([^/]*)(?:\/(\d+)(.*))?$/s.exec(error.pointer) ?? [];
    const isOfOwn = place === undefined ? own === null && error.found === 'null' : other === null;
    if (field !== of || isOwn || isOfOwn) return error;
    if (place === undefined) return { ...error, pointer: `/${name}` };
    const at = Number(place) - before;
    return at < 0 ? error : { ...error, pointer: `/${name}/${at}${rest}` };
  });
}

function refuseInvalid(
  wrong: readonly SchemaError[],
  meant: readonly MisspelledField[],
  fallback: string,
  given: Grounds<'ppf-no-recipient' | 'ppf-no-item' | 'body-shape', never, string>,
): Refused {
  const [primary] = wrong;
  const sentences = firstFive([...sentencesOn(wrong), ...meant.map(misspellingSentence)]);
  for (const { rule = fallback } of wrong) given.applies(rule);
  const kind = primary === undefined ? 'body-shape' : kindOf(primary);
  const rule = kind === 'body-shape' ? (primary?.rule ?? fallback) : undefined;
  return together(given.refuse(kind, sentences, rule), new Set(wrong.map(kindOf)));
}

function kindOf({ rule }: SchemaError): 'ppf-no-recipient' | 'ppf-no-item' | 'body-shape' {
  if (rule === 'ppf.needs-recipient') return 'ppf-no-recipient';
  return rule === 'ppf.needs-item' ? 'ppf-no-item' : 'body-shape';
}

/** A refusal that names several kinds of errors. */
function together(refused: Refused, others: ReadonlySet<RefusalCode>): Refused {
  return { ...refused, kinds: [...new Set([...(refused.kinds ?? [refused.refused]), ...others])] };
}

function sentencesOn(wrong: readonly SchemaError[]): string[] {
  return wrong.map(({ pointer, problem, found, keyword }) => {
    const what = keyword === 'anyOf' ? problem : `${problem}${contrast(problem, found)}`;
    return `${pointer === '' ? 'The body' : pointer} ${what}.`;
  });
}

/** The rule of the whole body: that of its schema, or of the elements of a list. */
export function bodyRule({ schema }: BodySpec<unknown>): string {
  const json = schema;
  const items = json.items as { readonly 'x-rule'?: string } | undefined;
  return (json['x-rule'] ?? items?.['x-rule'] ?? '') as string; // a test checks that every body schema of the catalog has one
}

/** The rules of its schema, of its constraints, and of an alias. */
function rulesOfBody(operation: Operation): string[] {
  const { body: spec } = operation;
  if (spec === undefined) return [];
  const alias = spec.alias === undefined ? [] : [spec.alias.rule];
  return ['address.json-bodies', bodyRule(spec), ...constraintRules(operation), ...alias];
}

function constraintRules({ body: spec }: Operation): string[] {
  const constraints = (spec?.schema.allOf ?? []) as ReadonlyArray<{ readonly 'x-rule': string }>; // as the schema builder writes them
  return constraints.map(constraint => constraint['x-rule']);
}

/** Whether a content type is the documented application/json, with no charset other than UTF-8. */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const charset = parameters
    .find(parameter => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return type === 'application/json' && (charset === undefined || charset === 'utf-8' || charset === 'utf8');
}
