// The stages `expand` and `query`: the query of a request, settled by the readings and typed by the schemas of its operation.

import { parseExpand } from '../../../operations/expand.js';
import type { Reading } from '../../../operations/gaps/gaps.js';
import { isSameButForCase, quoted } from '../../../operations/lookups.js';
import type { Operation } from '../../../operations/operation.js';
import { firstFive, type Grounds } from '../../../operations/provenance.js';
import type { Fields } from '../../../operations/schema.js';
import { expectedOf, nearestName } from '../../nearest.js';
import { queryNames } from '../query-names.js';
import { everyOperation, isResource, noOperation, type OperationProgress, stage } from '../stage.js';
import { absentValue, fieldNames, plural } from './body-fields.js';
import { expandResource, readResourceQuery, refuseUndecodable } from './resource-stages.js';

/** No documented response has anything to expand, so a gap decides about each name. The rules about it are the wiki's. */
export const expand = stage({
  name: 'expand',
  steps: [
    {
      name: 'expand',
      concerns: everyOperation,
      refusals: ['unknown-expand'],
      gaps: ['expand-unknown'],
    },
    { name: 'expand', concerns: ({ family }) => family === 'wiki', rules: ['expand.list', 'expand.nested'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation } = progress;
    if (isResource(operation)) return expandResource(progress, operation, given);
    const { pairs } = progress.request.query;
    if (pairs.length === 0) return undefined;
    const values = pairs.filter(([name]) => name === 'expand').map(([, value]) => value);
    if (values.length === 0) return undefined;
    const asked = parseExpand(values);
    if (asked.length === 0) return undefined;
    if (operation.family === 'wiki') {
      given.applies('expand.list');
      if (asked.some(steps => steps.length > 1)) given.applies('expand.nested');
    }
    if (given.reading('expand-unknown') === '400') {
      const names = asked.map(steps =>
        steps.length > 1
          ? `${quoted(steps.slice(1).join('.'))} inside ${quoted(steps[0] ?? '')}`
          : quoted(steps[0] ?? ''),
      );
      return given.refuse(
        'unknown-expand',
        `expand asks for ${names.join(', ')}: this response has nothing to expand.`,
      );
    }
    progress.expand = asked.map(steps => steps.join('.'));
    return undefined;
  },
});

const takesQuery = ({ query }: Operation) => query !== undefined;
const takesBoolean = ({ query = {} }: Operation) => Object.values(query).some(json => json.type === 'boolean');
const noFields: Fields = Object.freeze({});

export const query = stage({
  name: 'query',
  steps: [
    {
      name: 'query-names',
      concerns: everyOperation,
      refusals: ['query-undecodable', 'unknown-parameter'],
      gaps: ['unknown-parameter'],
    },
    {
      name: 'query',
      concerns: takesQuery,
      refusals: ['repeated-parameter', 'missing-parameter'],
      gaps: ['repeated-parameter', 'missing-parameter'],
      rules: ['address.case-sensitive'],
      isSpecific: true,
    },
    {
      name: 'query-values',
      concerns: takesBoolean,
      refusals: ['query-shape'],
      gaps: ['query-boolean'],
      isSpecific: true,
    },
    { name: 'query-of-resource', concerns: noOperation, refusals: ['rest-api-bad-request'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation, request } = progress;
    if (isResource(operation)) return readResourceQuery(progress, operation, given);
    const { query: properties = noFields } = operation;
    const { pairs, undecodable } = request.query;
    if (undecodable !== undefined) return refuseUndecodable(undecodable, given);
    if (pairs.length === 0 && properties === noFields) return undefined;
    const { sent, unknown, missing: absent, repeated } = queryNames(pairs, properties, ['expand']);
    if (unknown.some(name => absent.some(other => isSameButForCase(name, other))))
      given.applies('address.case-sensitive');
    if (unknown.length > 0 && given.reading('unknown-parameter') === '400') {
      const names = Object.keys(properties);
      const allowed = names.length === 0 ? 'only expand is allowed' : expectedOf(names);
      return given.refuse(
        'unknown-parameter',
        `Unknown query parameter${plural(unknown)} ${fieldNames(unknown)}: ${allowed}.`,
      );
    }
    if (operation.query === undefined) return undefined;
    const names = Object.keys(properties);
    const several = names.filter(name => repeated.includes(name));
    const counts = several.length === 0 ? 'first' : given.reading('repeated-parameter');
    if (counts === '400') {
      return given.refuse(
        'repeated-parameter',
        `The query has ${fieldNames(several)} several times: send ${several.length === 1 ? 'it' : 'each'} once.`,
      );
    }
    const missing = dueAmong(absent, given);
    if (missing.length > 0) {
      const meant = unknown.flatMap(name => {
        const known = nearestName(name, missing);
        return known === undefined ? [] : [`The query has ${quoted(name)}: did you mean ${quoted(known)}?`];
      });
      const lacking = `Missing query parameter${plural(missing)} ${fieldNames(missing)}.`;
      return given.refuse('missing-parameter', firstFive([lacking, ...meant]));
    }
    const values: Record<string, unknown> = {};
    const wrong: string[] = [];
    for (const name in properties) {
      const json = properties[name] ?? {};
      const text = sent.get(name)?.at(counts === 'first' ? 0 : -1);
      if (text === undefined) values[name] = absentValue(json);
      else if (json.type !== 'boolean') values[name] = text;
      else if (/^(true|false)$/i.test(text) || given.reading('query-boolean') === 'lenient')
        values[name] = text.toLowerCase() === 'true';
      else wrong.push(`The parameter ${quoted(name)} is ${quoted(text)}: it must be true or false.`);
    }
    if (wrong.length > 0) return given.refuse('query-shape', wrong);
    progress.query = values;
    return undefined;
  },
});

/** The absent parameters that are required (gap missing-parameter). */
function dueAmong(absent: readonly string[], given: Grounds<never, 'missing-parameter'>): readonly string[] {
  if (absent.length === 0) return absent;
  const reading = given.reading('missing-parameter');
  return absent.filter(name => isParameterDue(name, reading));
}

/** The parameters of a copy whose absence the document gives a meaning, or that are switches. */
const COPY_OPTIONS: ReadonlySet<string> = new Set(['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata']);

export function isParameterDue(name: string, reading: Reading<'missing-parameter'>): boolean {
  return reading === '400' || (reading === 'copy-options' && !COPY_OPTIONS.has(name));
}
