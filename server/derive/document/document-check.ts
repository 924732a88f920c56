// Checks a request and its expected response against the document. Pure.
import { type Body, bodyFrom, parseQuery } from '../../engine/request/request.js';
import { rules } from '../../operations/catalog/catalog.js';
import { gapSpec } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import type { HttpRequest } from '../sending/call.js';
import { visible } from '../text/visible.js';
import { checkAddress } from './address-check.js';
import { checkBody, checkContentType } from './body-check.js';
import { checkHeaders, checkReply, checkStatus, type ExpectedResponse, foreignHeader } from './expectation-check.js';
import { checkQuery } from './query-check.js';
import type { Finding, Violation } from './violation.js';

export interface CheckedRequest {
  /** Absent: method and path are those of no operation. */
  readonly operation?: Operation;
  readonly findings: readonly Finding[];
}

/** The violations in a request. */
export function checkRequest({ method, path: target, headers, body }: HttpRequest): CheckedRequest {
  const [path = '', ...search] = target.split('?');
  const address = checkAddress(method, path);
  const { operation } = address;
  const findings = [...inPart('path', address.path), ...inPart('method', address.method)];
  if (operation === undefined) return { findings };
  const sent = bodyIn(body);
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase().startsWith('x-fake-'));
  return {
    operation,
    findings: [
      ...findings,
      ...inPart('query', checkQuery(operation, parseQuery(search.join('?')))),
      ...inPart('header', [
        ...checkContentType(operation, sent, contentTypeIn(headers)),
        ...own.map(([name, value]) => foreignHeader(name, value)),
      ]),
      ...inPart('body', checkBody(operation, sent)),
    ],
  };
}

/** The violations in the expected response of an operation. */
export function checkExpectation(operation: Operation, expected: ExpectedResponse): readonly Finding[] {
  const { status, isProcessed } = expected;
  return [
    ...inPart('status', status === undefined ? [] : checkStatus(operation, status, isProcessed)),
    ...inPart('header', checkHeaders(operation, expected)),
    ...inPart('reply', checkReply(operation, expected)),
  ];
}

function inPart(part: Finding['part'], violations: readonly Violation[]): Finding[] {
  return violations.map(violation => ({ part, ...violation }));
}

function bodyIn(body: HttpRequest['body']): Body {
  return body === undefined ? { kind: 'absent' } : bodyFrom(Buffer.from(body));
}

function contentTypeIn(headers: HttpRequest['headers']): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

const places: Readonly<Record<Finding['part'], string>> = {
  method: 'Method',
  path: 'Path',
  query: 'Query',
  header: 'Header',
  body: 'Request body',
  status: 'Status of the response',
  reply: 'Body of the response',
};

/** For readers without context: the place, what the contract has, what the document says, and the rule it breaks or the gap it rests on. */
export function showFinding(finding: Finding): string {
  const { part, pointer, expected, found, nearest } = finding;
  const at = pointer === '' ? '' : ` at ${pointer}`;
  const meant =
    nearest === undefined || expected === JSON.stringify(nearest) ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
  const has = `${places[part]}${at}: the contract has ${found}${meant}; the document has ${expected}.`;
  return visible([has, ...meaning(finding)].join(' '));
}

function meaning({ rule, gap }: Finding): string[] {
  if (rule !== undefined) return [`This breaks ${rule}: ${rules[rule]?.says}`];
  return gap === undefined ? [] : [`Open question (gap ${gap}): ${gapSpec(gap).asks}`];
}
