// Checks method and path against the documented operations, and finds the nearest.
import { decodes } from '../../engine/percent.js';
import { meantBy } from '../../engine/request/stages/routing.js';
import { type Address, locate, locateResource } from '../../operations/address.js';
import { endpoints, type OperationPath, resourceEndpoints } from '../../operations/catalog/bindings.js';
import { quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import { ownRule } from './own-rule.js';
import type { Violation } from './violation.js';

export interface CheckedAddress {
  /** Absent: none, or ambiguous. */
  readonly operation?: Operation;
  readonly path: readonly Violation[];
  readonly method: readonly Violation[];
}

/** Checks a method (case-insensitive) and a path without query. */
export function checkAddress(method: string, path: string): CheckedAddress {
  const address = decodes(path) ? locate(path) : undefined;
  const endpoint = address && endpointAt(address);
  if (address === undefined && isOfResource(path)) return { path: [], method: [] };
  if (address === undefined || endpoint === undefined) return { path: [misplaced(path)], method: [] };
  return { path: [...guessed(address), ...misspelt(address, path)], ...checkMethod(method.toUpperCase(), endpoint) };
}

/** The document does not describe the REST APIs of Confluence and Jira: no findings. */
function isOfResource(path: string): boolean {
  const address = decodes(path) ? locateResource(path) : undefined;
  return resourceEndpoints.some(
    ({ family, path: known }) => family === address?.family && matches(known, address.rest),
  );
}

function endpointAt({ family, rest }: Address): OperationPath | undefined {
  return endpoints.find(endpoint => endpoint.family === family && matches(endpoint.path, rest));
}

function matches(path: string, rest: string): boolean {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(rest);
}

function misplaced(path: string): Violation {
  const found = quoted(path);
  if (!decodes(path)) return { pointer: '', expected: 'only paths that decode to UTF-8', found };
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

/** An undocumented prefix. The canonical one has the documented form of the other family. */
function guessed({ family, prefix }: Address): Violation[] {
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

/** A version instead of latest, or a trailing slash. */
function misspelt({ version, hasSlash }: Address, path: string): Violation[] {
  const nearest = meantBy(path);
  const violation = {
    pointer: '',
    expected: quoted(nearest ?? ''),
    found: quoted(path),
    ...(nearest !== undefined && { nearest }),
  };
  return [
    ...(version === undefined ? [] : [{ ...violation, gap: 'version-segment' as const }]),
    ...(hasSlash === undefined ? [] : [{ ...violation, gap: 'trailing-slash' as const }]),
  ];
}

function checkMethod(method: string, { path, operations }: OperationPath): Omit<CheckedAddress, 'path'> {
  const direct = operations.find(operation => operation.method === method);
  if (direct !== undefined) return { operation: direct, method: [] };
  const methods = operations.map(operation => operation.method).join(' and ');
  const violation = { pointer: '', expected: `${methods} on ${path}`, found: method };
  const claims = operations.filter(({ heading }) => heading?.method === method);
  const [first] = claims;
  const gap = first?.heading?.gap;
  if (first === undefined || gap === undefined) return { method: [{ ...violation, ...methodRule(operations) }] };
  const expected = `${violation.expected}, and ${method} only in the heading of ${claims.map(({ id }) => id).join(' and ')}`;
  return { ...(claims.length === 1 && { operation: first }), method: [{ ...violation, expected, gap }] };
}

/** If headings and request lines differ, one rule decides about methods; otherwise the operation's own rule. */
function methodRule(operations: readonly Operation[]): { rule?: string } {
  const [first] = operations;
  const rule = operations.some(({ heading }) => heading !== undefined)
    ? 'permissions.heading-method'
    : first && ownRule(first);
  return rule === undefined ? {} : { rule };
}
