// Whether method and path are those of an operation, by the document, and where they are not, what was probably meant.
// Knows no router: what the bindings say is enough.
import { decodes } from '../../engine/request/percent.js';
import { meantBy } from '../../engine/request/stages/served-address.js';
import { type Address, locate, locateHost } from '../../operations/address.js';
import { type Endpoint, endpoints, hostEndpoints } from '../../operations/bindings.js';
import { quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import { ownRule } from './own-rule.js';
import type { Departure } from './violation.js';

export interface CheckedAddress {
  /** Absent: there is none, or more than one could be meant. */
  readonly operation?: Operation;
  readonly path: readonly Departure[];
  readonly method: readonly Departure[];
}

/** Checks a method, in whatever case it is written, and a path without its query. */
export function checkAddress(method: string, path: string): CheckedAddress {
  const address = decodes(path) ? locate(path) : undefined;
  const endpoint = address && endpointAt(address);
  if (address === undefined && isOfHost(path)) return { path: [], method: [] };
  if (address === undefined || endpoint === undefined) return { path: [misplaced(path)], method: [] };
  return { path: [...guessed(address), ...misspelt(address, path)], ...checkMethod(method.toUpperCase(), endpoint) };
}

/** The hosts' own resources are no affair of the document: nothing is found about them. */
function isOfHost(path: string): boolean {
  const address = decodes(path) ? locateHost(path) : undefined;
  return hostEndpoints.some(({ family, path: known }) => family === address?.family && matches(known, address.rest));
}

function endpointAt({ family, rest }: Address): Endpoint | undefined {
  return endpoints.find(endpoint => endpoint.family === family && matches(endpoint.path, rest));
}

function matches(path: string, rest: string): boolean {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(rest);
}

function misplaced(path: string): Departure {
  const found = quoted(path);
  if (!decodes(path)) return { pointer: '', expected: 'paths whose percent signs stand for UTF-8 text', found };
  const nearest = meantBy(path);
  if (nearest === undefined) return { pointer: '', expected: 'no such path', found };
  const isCase = nearest.toLowerCase() === path.toLowerCase();
  if (!isCase && locate(path) !== undefined) return { pointer: '', expected: 'no such path', found, nearest }; // what is wrong comes after the prefix
  const rule = isCase ? 'address.case-sensitive' : ruleOf(nearest);
  return { pointer: '', expected: quoted(nearest), found, rule, nearest };
}

function ruleOf(path: string): string {
  return path.includes('/cwx-ppf/') ? 'address.ppf-path' : 'address.extension-path';
}

/** The prefix that the document does not show. The canonical one is the form that it gives for the other family. */
function guessed({ family, prefix }: Address): Departure[] {
  if (family !== 'wiki' || prefix === 'rest') return [];
  return [
    {
      pointer: '',
      expected: 'no prefix for the wiki extension',
      found: prefix === 'bare' ? 'none' : 'the prefix /rest/api',
      gap: 'wiki-prefix',
    },
  ];
}

/** A version in the place of latest, and a slash at the end. */
function misspelt({ version, hasSlash }: Address, path: string): Departure[] {
  const nearest = meantBy(path);
  const departure = {
    pointer: '',
    expected: quoted(nearest ?? ''),
    found: quoted(path),
    ...(nearest !== undefined && { nearest }),
  };
  return [
    ...(version === undefined ? [] : [{ ...departure, gap: 'version-segment' as const }]),
    ...(hasSlash === undefined ? [] : [{ ...departure, gap: 'trailing-slash' as const }]),
  ];
}

function checkMethod(method: string, { path, operations }: Endpoint): Omit<CheckedAddress, 'path'> {
  const direct = operations.find(operation => operation.method === method);
  if (direct !== undefined) return { operation: direct, method: [] };
  const methods = operations.map(operation => operation.method).join(' and ');
  const departure = { pointer: '', expected: `${methods} on ${path}`, found: method };
  const claims = operations.filter(({ heading }) => heading?.method === method);
  const [first] = claims;
  const gap = first?.heading?.gap;
  if (first === undefined || gap === undefined) return { method: [{ ...departure, ...methodRule(operations) }] };
  const expected = `${departure.expected}, and ${method} only in the heading of ${claims.map(({ id }) => id).join(' and ')}`;
  return { ...(claims.length === 1 && { operation: first }), method: [{ ...departure, expected, gap }] };
}

/** Where headings and request lines differ, one rule says which methods there are; elsewhere the rule of the operation does. */
function methodRule(operations: readonly Operation[]): { rule?: string } {
  const [first] = operations;
  const rule = operations.some(({ heading }) => heading !== undefined)
    ? 'permissions.heading-method'
    : first && ownRule(first);
  return rule === undefined ? {} : { rule };
}
