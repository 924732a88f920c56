// A typed client of the operations, generated from their catalog, over any transport.

import { resourceName } from '../../derive/reach.js';
import { type Call, type CallAddress, type HttpRequest, type Proof, requestFor } from '../../derive/sending/call.js';
import { nearest } from '../../engine/nearest.js';
import { anyOperationOf, operationIds, operations, restResources } from '../../operations/catalog/catalog.js';
import type { AnyOperation } from '../../operations/rest-api/resource.js';
import type { Client } from './calls.js';
import { type AnyResponse, type HttpResponse, readResponse } from './received.js';

/** Sends a request to the server of the client. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

type Ask = (call?: Omit<Call, 'as'>) => Promise<AnyResponse>;

/** A client with the credentials of a user or a token, or without. */
export function clientFor(send: Send, as?: Proof, address: CallAddress = {}): Client {
  const asking =
    (operation: AnyOperation): Ask =>
    async (call = {}) =>
      readResponse(operation, await send(requestFor(operation, { ...call, as }, address)));
  const resources: Record<string, Record<string, Ask>> = {};
  for (const operation of [...operations, ...restResources]) {
    const name = resourceName(operation);
    resources[name] = { ...resources[name], [methodName(operation)]: asking(operation) };
  }
  const call = async (id: string, asked?: Call) => asking(known(id))(asked);
  return { ...resources, call } as unknown as Client; // its type and its names come from the same catalog
}

/** `add-users` becomes `addUsers`. */
function methodName(operation: AnyOperation): string {
  const name = operation.id.slice(resourceName(operation).length + 1);
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** For callers without a compiler. */
function known(id: string): AnyOperation {
  const operation = anyOperationOf(id);
  if (operation !== undefined) return operation;
  throw new TypeError(`Unknown operation ${JSON.stringify(id)}${nearest(id, operationIds)}.`);
}
