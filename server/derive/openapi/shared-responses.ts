// Moves responses that several operations have to the components of a document.
import { STATUS_CODES } from 'node:http';
import type { DocumentPart } from './named-schemas.js';

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentPart>>>>;

/** The document with a reference for each response that occurs more than once. */
export function withSharedResponses<D extends DocumentPart>(document: D): D {
  const counts = new Map<string, number>();
  eachResponse(document.paths as Paths, (_, response) => {
    const text = JSON.stringify(response);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return response;
  });
  const names = new Map<string, string>();
  const responses: Record<string, DocumentPart> = {};
  const paths = eachResponse(document.paths as Paths, (status, response) => {
    const text = JSON.stringify(response);
    if (counts.get(text) === 1) return response;
    const name = names.get(text) ?? unusedName(status, responses);
    names.set(text, name);
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  });
  return names.size === 0
    ? document
    : { ...document, paths, components: { ...(document.components as DocumentPart), responses } };
}

/** Such as `NotFound`, or `NotFound2` for another response with the same status. */
function unusedName(status: string, used: DocumentPart): string {
  const name = (STATUS_CODES[status] ?? 'Refused').replace(/[^A-Za-z]/g, '');
  let number = 1;
  const numbered = () => (number === 1 ? name : `${name}${number}`);
  while (Object.hasOwn(used, numbered())) number += 1;
  return numbered();
}

function eachResponse(paths: Paths, change: (status: string, response: DocumentPart) => DocumentPart): DocumentPart {
  return mapValues(paths, operations =>
    mapValues(operations, operation => ({
      ...operation,
      responses: mapValues(operation.responses as Record<string, DocumentPart>, (response, status) =>
        change(status, response),
      ),
    })),
  );
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A, key: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
