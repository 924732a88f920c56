// Varies responses in what the document leaves open and no gap covers, as other servers that keep the document may.
import { isObject } from '../../domain/form/patch.js';
import type { ApiResponse } from '../../engine/request/api-response.js';
import { noBody } from '../../engine/request/request.js';
import type { Result } from '../../engine/request/result.js';
import { operations } from '../../operations/catalog/catalog.js';
import { type Guarantee, guaranteesOf } from './guarantee.js';
import { FURTHER_FIELDS, MANY_MESSAGES, TEXTS } from './witnesses.js';

type Vary = (response: ApiResponse, guarantee: Guarantee) => ApiResponse;

/** Lower case, digits, another script, and long. */
const OF_ALL_KINDS = [...TEXTS.slice(1, 4), ...MANY_MESSAGES.slice(0, 20)].join(' ');

/** The parts that are varied, each with what the document leaves open about it. */
export const variations = {
  'further-fields': {
    says: 'The document does not exclude further fields.',
    vary: response => withValue(response, value => ({ ...value, ...FURTHER_FIELDS })),
  },
  'message-text': {
    says: 'The document does not give the wording of messages.',
    vary: (response, guarantee) =>
      withMessages(response, guarantee, messages => messages.map((_, i) => [OF_ALL_KINDS, ''][i % 2] ?? '')),
  },
  'message-list': {
    says: 'The document gives neither the number nor the order of messages.',
    vary: (response, guarantee) =>
      withMessages(response, guarantee, messages =>
        messages.length === 0
          ? messages
          : ['Not everything was done', ...MANY_MESSAGES.slice(0, 10), ...messages.toReversed()],
      ),
  },
  'success-messages': {
    says: 'The document does not exclude messages on success.',
    vary: (response, guarantee) =>
      withMessages(response, guarantee, messages => (messages.length === 0 ? ['Done'] : messages)),
  },
  status: {
    says: 'The document does not give this status, only its class.',
    vary: (response, { status: { is } }) =>
      is === 'open' ? { ...response, status: otherStatus(response.status) } : response,
  },
  charset: {
    says: 'The document does not show whether the content type has a charset.',
    vary: response => withContentType(response),
  },
  headers: { says: 'Only the fake sends X-Fake-* headers.', vary: response => response },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly vary: Vary }>>;
export type VariationName = keyof typeof variations;
export const variationNames = Object.keys(variations) as VariationName[]; // the keys of the table

export function isVariation(name: string): name is VariationName {
  return Object.hasOwn(variations, name);
}

/** The responses of operations with all these parts varied. Faults, stubs, Confluence and Jira stay as they are. */
export function varying(names: readonly VariationName[]): (result: Result) => ApiResponse {
  return result => {
    const { response, operation: id, refused, rules, product, injected, stub } = result;
    if (product !== undefined || injected !== undefined || stub !== undefined) return response;
    const operation = operations.find(one => one.id === id);
    const asked = { path: '', query: [], headers: {}, body: noBody, world: {}, ...(operation && { operation }) };
    const decided = { asked, findings: [], status: response.status, refused, rules, body: response.value };
    const [guarantee] = guaranteesOf(decided);
    if (guarantee === undefined) return response;
    return names.reduce((varied, name) => variations[name].vary(varied, guarantee), response);
  };
}

/** For each class the statuses that servers use beside the usual ones. */
const OTHERS: Readonly<Record<number, readonly [number, number]>> = { 2: [202, 200], 4: [422, 410], 5: [501, 500] };

function otherStatus(status: number): number {
  const [first, second] = OTHERS[Math.floor(status / 100)] ?? [status, status];
  return status === first ? second : first;
}

function withValue(response: ApiResponse, change: (value: Readonly<Record<string, unknown>>) => unknown): ApiResponse {
  const { value, body: _, ...head } = response;
  return isObject(value) ? { ...head, value: change(value) } : response;
}

function withMessages(
  response: ApiResponse,
  { body: { fields = {} } }: Guarantee,
  change: (messages: readonly string[]) => readonly string[],
): ApiResponse {
  const lists = Object.entries(fields).flatMap(([name, field]) => ('atLeast' in field ? name : []));
  return withValue(response, value => ({
    ...value,
    ...Object.fromEntries(lists.map(name => [name, change(value[name] as readonly string[])])), // as the guarantee says
  }));
}

function withContentType({ headers, ...response }: ApiResponse): ApiResponse {
  const plain = Object.entries(headers).map(([name, value]) => [
    name,
    name.toLowerCase() === 'content-type' ? value.split(';', 1)[0] : value,
  ]);
  return { ...response, headers: Object.fromEntries(plain) };
}
