// A push or pull that applies only its first items and reports the rest. Pure.

import type { ApiResponse } from '../request/api-response.js';
import type { Request } from '../request/request.js';
import type { Result } from '../request/result.js';

/** The filters and dashboards of a request, each once, in processing order. */
interface Items {
  readonly filters: readonly number[];
  readonly dashboards: readonly number[];
}

/** The request for the first items, with the remaining ones; `undefined` if none remains, or it names no items. */
export function firstItems(
  request: Request,
  many: number,
): { readonly request: Request; readonly left: Items } | undefined {
  if (request.body.kind !== 'json') return undefined;
  const { filters, dashboards } = itemsIn(request.body.value);
  if (filters.length + dashboards.length <= many) return undefined;
  const first = {
    filters: filters.slice(0, many),
    dashboards: dashboards.slice(0, Math.max(0, many - filters.length)),
  };
  const value = { ...(request.body.value as object), ...first }; // it names items, so it is an object
  return {
    request: { ...request, body: { kind: 'json', value, text: JSON.stringify(value) } },
    left: { filters: filters.slice(first.filters.length), dashboards: dashboards.slice(first.dashboards.length) },
  };
}

/** The response to a partly applied request. `done`: the response for the applied part, if any. */
export function reportOnLeft(own: ApiResponse, done: Result | undefined, left: Items, isPush: boolean): ApiResponse {
  const verb = isPush ? 'push' : 'pull';
  const messages = [
    ...messagesIn(done?.response),
    ...left.filters.map(id => `Could not ${verb} filter with id ${id}`),
    ...left.dashboards.map(id => `Could not ${verb} dashboard with id ${id}`),
  ];
  const value = { success: false, messages };
  return { ...own, body: JSON.stringify(value), value };
}

function itemsIn(body: unknown): Items {
  const { filters, dashboards } = (body ?? {}) as { filters?: unknown; dashboards?: unknown };
  return { filters: numbersIn(filters), dashboards: numbersIn(dashboards) };
}

function numbersIn(list: unknown): number[] {
  return Array.isArray(list) ? [...new Set(list.filter(one => typeof one === 'number'))] : [];
}

function messagesIn(response: ApiResponse | undefined): readonly string[] {
  if (response?.body === undefined) return [];
  const { messages } = JSON.parse(response.body) as { messages: readonly string[] }; // accepted pushes and pulls have this body
  return messages;
}
