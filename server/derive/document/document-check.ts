// Whether a request and the answer that is expected of it are what the document says: everything that it does not say, or says otherwise.
// Pure: knows no world, no readings and no Pact.
import { bodyFrom } from '../../engine/request/body-bytes.js';
import { type Body, parseQuery } from '../../engine/request/request.js';
import { rules } from '../../operations/catalog.js';
import { gapSpec } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import type { HttpRequest } from '../sending/call.js';
import { visible } from '../text/visible.js';
import { checkAddress } from './address-check.js';
import { checkBody, checkContentType } from './body-check.js';
import { checkHeaders, checkReply, checkStatus, type Expectation, foreignHeader } from './expectation-check.js';
import { checkQuery } from './query-check.js';
import type { Departure } from './violation.js';

/** One thing in a contract that the document does not say, or says otherwise. */
export interface Finding extends Departure {
  readonly part: 'method' | 'path' | 'query' | 'header' | 'body' | 'status' | 'reply';
}

export interface CheckedRequest {
  /** Absent: method and path are those of no operation. */
  readonly operation?: Operation;
  readonly findings: readonly Finding[];
}

/** What is not as the document has it in a request. */
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

/** What the document does not have of the answer that is expected of an operation. */
export function checkExpectation(operation: Operation, expected: Expectation): readonly Finding[] {
  const { status } = expected;
  return [
    ...inPart('status', status === undefined ? [] : checkStatus(operation, status)),
    ...inPart('header', checkHeaders(operation, expected)),
    ...inPart('reply', checkReply(operation, expected)),
  ];
}

function inPart(part: Finding['part'], departures: readonly Departure[]): Finding[] {
  return departures.map(departure => ({ part, ...departure }));
}

function bodyIn(body: HttpRequest['body']): Body {
  return body === undefined ? { kind: 'absent' } : bodyFrom(Buffer.from(body));
}

function contentTypeIn(headers: HttpRequest['headers']): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

const places: Readonly<Record<Finding['part'], string>> = {
  method: 'In the method',
  path: 'In the path',
  query: 'In the query',
  header: 'Among the headers',
  body: 'In the body',
  status: 'As the status of the answer',
  reply: 'In the body of the answer',
};

/** One sentence that a stranger understands: where, what the contract has there, what the document has, and what that means. */
export function showFinding(finding: Finding): string {
  const { part, pointer, expected, found, nearest } = finding;
  const at = pointer === '' ? '' : ` at ${pointer}`;
  const meant =
    nearest === undefined || expected === JSON.stringify(nearest) ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
  return visible(
    `${places[part]}${at} the contract has ${found}${meant}, and the document has ${expected}: ${meaning(finding)}.`,
  );
}

function meaning({ rule, gap }: Finding): string {
  if (rule !== undefined) return `this goes against the rule ${rule} (${plain(rules[rule]?.says ?? '')})`;
  if (gap !== undefined) return `what comes of it is open, see the gap ${gap} (${plain(gapSpec(gap).asks)})`;
  return 'it says no more than that';
}

/** A sentence of the ledger within another one. */
function plain(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
