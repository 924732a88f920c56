// The rules that a wrong answer may break.
import { isObject } from '../../../domain/form/patch.js';
import { parsedJson } from '../../../engine/parsed-json.js';
import { rules as allRules, operationOf } from '../../../operations/catalog.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import { isRefusal } from '../../target/expected-refusals.js';
import { jsonIn } from './alterations/altered-requests.js';
import { hasContextPath } from './circumstances.js';
import type { Comparison, Deviation } from './comparison.js';

/** The rules about the format of a body. */
export const shapes: ReadonlySet<string> = new Set([
  'groups.body',
  'permissions.body',
  'ppf.body-types',
  'spaces.replace-list',
]);
const statusRules: ReadonlySet<string> = new Set([
  'ppf.invalid-is-400',
  'ppf.processed-is-200',
  'ppf.success-flag',
  'ppf.failure-message',
]);
const changing: ReadonlySet<number> = new Set([404, 409]);

/** A possibly broken rule, and the circumstances in which it would be broken. */
export interface Stake {
  readonly rule: string;
  readonly where: string;
}

/** The rules that an answer with this deviation would break. Empty: it depends on earlier requests. */
export function rulesAtStake(step: Comparison, deviation: Deviation): readonly Stake[] {
  const rules = step.due < 400 ? ofService(step, deviation) : ofRefusal(step, deviation);
  return [...new Set(rules)].map(rule => ({ rule, where: circumstance(rule, step) }));
}

/** The part of a request that a rule is about, if any. */
function circumstance(rule: string, one: Comparison): string {
  const {
    played: { sent, step },
    report,
  } = one;
  const parameter = parameters[rule];
  if (parameter !== undefined)
    return new RegExp(`[?&]${parameter}=([^&]*)`).exec(sent?.path ?? '')?.[1]?.toLowerCase() ?? '';
  if (rule === 'ppf.processed-is-200') return report;
  if (rule === 'ppf.invalid-is-400') return isRefusedInWords(one) ? 'in words' : '';
  const lists = alternatives[rule];
  if (lists !== undefined && one.due < 400) return lists.filter(list => isNamed(sent, list)).join(' and ');
  if (rule === 'spaces.is-unique') return one.gaps.includes('is-unique-match') ? 'key or name taken' : report;
  if (isOfContext(rule)) return one.family ?? '';
  if (rule === HEADING) return sent?.method ?? '';
  if (rule === 'permissions.groups-field') return namedLists(sent);
  if (rule === 'spaces.copy-query-only') return sent?.body === undefined ? 'without a body' : 'with a body';
  if (rule !== 'address.json-bodies') return '';
  if (isUnsupported(one)) return 'unsupported';
  return isBeyondAscii(one) ? 'beyond ASCII' : step.request === undefined ? 'plain' : 'special';
}

/** The rule about the two methods of an operation. */
const HEADING = 'permissions.heading-method';

function headingRules({ operation }: Comparison): readonly string[] {
  return Object.hasOwn(operationOf(operation)?.rules ?? {}, HEADING) ? [HEADING] : [];
}

/** Whether an answer says that the method is not served, and the document has two of them. */
function isOfMethod(step: Comparison): boolean {
  const status = step.played.received?.status;
  return (status === 405 || status === 501) && headingRules(step).length > 0;
}

/** Under which of its two names a list of groups is sent. */
function namedLists(sent: Comparison['played']['sent']): string {
  const body = sent && jsonIn(sent);
  return isObject(body) && 'group' in body ? 'group' : 'groups';
}

/** Two lists, one of which is enough. */
export const alternatives: Readonly<Record<string, readonly string[]>> = {
  'ppf.needs-recipient': ['users', 'groups'],
  'ppf.needs-item': ['filters', 'dashboards'],
};

/** Whether a body has a list of this name with something in it. */
function isNamed(sent: Comparison['played']['sent'], list: string): boolean {
  const body = sent && jsonIn(sent);
  return isObject(body) && Array.isArray(body[list]) && body[list].length > 0;
}

/** The effect that a parameter selects. */
export const parameters: Readonly<Record<string, string>> = {
  'spaces.copy-default-admin': 'targetSpaceAdmin',
  'spaces.copy-remove-admin': 'removeAdminPermissions',
  'spaces.copy-keep-metadata': 'keepPagesMetadata',
};

/** The rules about the parameters of a request, whatever their values. */
export function parameterRules({ operation, played: { sent } }: Comparison): readonly string[] {
  const query = sent?.path.split('?')[1] ?? '';
  const rules = Object.keys(operationOf(operation)?.rules ?? {});
  return rules.filter(rule => parameters[rule] !== undefined && new RegExp(`(?:^|&)${parameters[rule]}=`).test(query));
}

function ofService(step: Comparison, deviation: Deviation): readonly string[] {
  const { family, rules, operation } = step;
  const own = [...rules.filter(rule => !shapes.has(rule) && !statusRules.has(rule)), ...parameterRules(step)];
  const isPpf = family === 'ppf';
  if (isPpf && isReportedOtherwise(step)) return ['ppf.processed-is-200'];
  switch (deviation) {
    case 'unserved':
      if (isOfMethod(step)) return headingRules(step);
      return [
        ...own,
        ...headingRules(step),
        ...pathRules(step),
        ...(operation === '' ? [] : [...missingRules(step), ...misreadRules(step)]),
        ...(isBeyondAscii(step) ? ['address.json-bodies'] : []),
        ...expandRules(step),
      ];
    case 'denied':
      return [...(isPpf ? ['ppf.admin-only', 'ppf.authenticated', 'ppf.licensed-only'] : own), ...expandRules(step)];
    case 'refused':
      if (isUnsupported(step)) return ['address.json-bodies'];
      return [...own, ...rules.filter(rule => shapes.has(rule)), ...formRules(step)];
    case 'error':
      return [...own, ...expandRules(step)];
    case 'conflict':
      return [];
    case 'status':
      return isPpf ? ['ppf.processed-is-200', ...expandRules(step)] : questionRules(step);
    case 'effect':
      if (step.isCarried === true) return [];
      return [...own.filter(rule => allRules[rule]?.effect), ...expandRules(step)];
    case 'content':
      return [...(isPpf ? contentRules(step) : questionRules(step)), ...expandRules(step)];
  }
  return [];
}

/** The address of an operation, and whether there is a context path before it. */
function pathRules({ family, played: { sent, received } }: Comparison): readonly string[] {
  const asked = sent?.path ?? '';
  if (received?.status === 405) return []; // something is served there
  if (family === 'wiki' && !asked.includes('/cwxapiextension/')) return []; // a resource of the host
  const path = family === 'ppf' ? 'address.ppf-path' : 'address.extension-path';
  return [path, hasContextPath(asked) ? 'address.context-path' : 'address.no-context-path'];
}

function isOfContext(rule: string): boolean {
  return rule === 'address.context-path' || rule === 'address.no-context-path';
}

/** A server that misreads a body looks for other names, and does not find them. */
function misreadRules({ rules }: Comparison): readonly string[] {
  return rules.filter(rule => shapes.has(rule) && rule !== 'spaces.replace-list'); // a page is named in the query
}

/** Whether it has letters that a server may lose. */
export function isBeyondAscii({ played: { sent } }: Comparison): boolean {
  const body = sent?.body === undefined ? '' : Buffer.from(sent.body).toString('utf8');
  return /%[89A-F]/i.test(sent?.path ?? '') || /[^\0-\x7f]/.test(body);
}

/** The only answer of the wiki to a change that the document describes. */
function questionRules({ rules }: Comparison): readonly string[] {
  return rules.filter(rule => rule === 'spaces.is-unique');
}

/** Unknown items and users are reported, not refused. */
function missingRules({ rules }: Comparison): readonly string[] {
  return rules.includes('ppf.failure-message') ? ['ppf.processed-is-200'] : [];
}

/** Required parts of a request: one of two lists, a JSON body, a list of names to expand. */
function formRules(step: Comparison): readonly string[] {
  const { sent } = step.played;
  const isOneOf = (first: string, second: string) => isNamed(sent, first) !== isNamed(sent, second);
  return [
    ...(step.family === 'ppf' && isOneOf('users', 'groups') ? ['ppf.needs-recipient'] : []),
    ...(step.family === 'ppf' && isOneOf('filters', 'dashboards') ? ['ppf.needs-item'] : []),
    ...(isJson(sent) ? ['address.json-bodies'] : []),
    ...expandRules(step),
  ];
}

/** Whether the answer says that a JSON body is none. */
function isUnsupported({ played: { sent, received } }: Comparison): boolean {
  return received?.status === 415 && isJson(sent);
}

function isJson(sent: Comparison['played']['sent']): boolean {
  return sent !== undefined && jsonIn(sent) !== undefined;
}

function expandRules({ played }: Comparison): readonly string[] {
  const [, names] = /[?&]expand=([^&]*)/.exec(played.sent?.path ?? '') ?? [];
  if (names === undefined) return [];
  return [...(/,|%2C/i.test(names) ? ['expand.list'] : []), ...(names.includes('.') ? ['expand.nested'] : [])];
}

/** Whether push or pull reports what has come of a request, as it should, but with the status of a refusal. */
function isReportedOtherwise({ played: { received } }: Comparison): boolean {
  const body = received && isRefusal(received.status) ? bodyOf(received) : undefined;
  return isObject(body) && typeof body.success === 'boolean' && Array.isArray(body.messages);
}

/** Whether push or pull says with the status of success that a request failed. */
export function isRefusedInWords({ due, played: { received } }: Comparison): boolean {
  const body = due === 400 && received !== undefined && received.status < 300 ? bodyOf(received) : undefined;
  return isObject(body) && body.success === false && Array.isArray(body.messages) && body.messages.length > 0;
}

/** By the difference in an answer of push and pull. */
function contentRules({ played, rules }: Comparison): readonly string[] {
  if (played.outcome === 'passed') return ['ppf.processed-is-200', ...rules.filter(rule => statusRules.has(rule))];
  const { text = '' } = played.received ?? {};
  if (text !== '' && parsedJson(text) === undefined) return ['address.json-bodies'];
  const body = played.received && bodyOf(played.received);
  if (!isObject(body)) return ['ppf.processed-is-200'];
  const isFlag = typeof body.success === 'boolean';
  const isList = Array.isArray(body.messages);
  if (isFlag && isList && played.differences.every(({ pointer }) => pointer.startsWith('/messages'))) {
    if (isOfTexts(body.messages)) return []; // the document does not say how many messages there are
    return rules.includes('ppf.failure-message') ? ['ppf.failure-message'] : ['ppf.processed-is-200'];
  }
  if (body.success === undefined) return ['ppf.processed-is-200'];
  if (!isFlag) return ['ppf.success-flag'];
  return isList ? ['ppf.success-flag'] : ['ppf.processed-is-200'];
}

/** Whether there is a message, and each is a text that is not empty. */
function isOfTexts(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length > 0 && messages.every(one => typeof one === 'string' && one !== '');
}

const needsRules = ['ppf.needs-recipient', 'ppf.needs-item'];

/** Whether a body names nothing, whatever it is. */
function hasNoFields({ sent }: Comparison['played']): boolean {
  const body = sent && jsonIn(sent);
  return !isObject(body) || Object.keys(body).length === 0;
}

/** What a body lacks for a server that passes over each value of another type than the document gives. */
function needsWithin({ sent }: Comparison['played']): readonly string[] {
  const body = sent && jsonIn(sent);
  if (!isObject(body)) return [];
  const has = (names: readonly string[]) => names.some(name => Array.isArray(body[name]));
  return [
    ...(has(['users', 'groups']) ? [] : ['ppf.needs-recipient']),
    ...(has(['filters', 'dashboards']) ? [] : ['ppf.needs-item']),
  ];
}

/** The rules that should have refused: each missing list of two alternatives; otherwise the last one checked. */
function ofRefusal(step: Comparison, deviation: Deviation): readonly string[] {
  const { due, rules, operation, family, played } = step;
  const isOfState = operation !== '' && changing.has(due);
  const needs = rules.filter(rule => rule.startsWith('ppf.needs-'));
  const last = rules.filter(rule => rule !== 'ppf.invalid-is-400').at(-1);
  const proved = played.step.proves?.filter(rule => rule.startsWith('address.')) ?? [];
  const isOfAddress = last?.startsWith('address.') === true && proved.length > 0;
  if (due === 401 && family === 'ppf' && deviation === 'accepted') return ['ppf.authenticated'];
  const isEmpty = family === 'ppf' && due === 400 && deviation === 'accepted' && hasNoFields(played);
  const refusing = isEmpty
    ? [...new Set([...needs, ...needsRules, ...rules])]
    : needs.length > 0
      ? needs
      : isOfAddress
        ? proved
        : last === undefined
          ? []
          : [last];
  if (deviation === 'unserved')
    return [
      ...refusing,
      ...rules.filter(rule => rule === 'ppf.invalid-is-400'),
      operation,
      ...headingRules(step),
      ...pathRules(step),
    ];
  if (deviation === 'effect') return [];
  const invalid = family === 'ppf' && due === 400 ? ['ppf.invalid-is-400'] : [];
  if (deviation === 'accepted')
    return isOfState ? [] : [...refusing, ...invalid, ...(invalid.length > 0 ? needsWithin(played) : [])];
  if (deviation === 'error') return [...refusing, ...invalid, ...changesOf(operation), ...expandRules(step)];
  if (rules.includes('ppf.invalid-is-400')) return ['ppf.invalid-is-400'];
  const asInvalid = [...changesOf(operation), ...shapesOf(operation), ...formRules(step)];
  return [...refusing, ...invalid, ...(isFoundInvalid(step) ? asInvalid : [])];
}

/** Whether a server that takes a valid request for an invalid one says so before it looks who asks, or whether there is anything to change. */
function isFoundInvalid({ due, family, played }: Comparison): boolean {
  if (family === 'wiki') return due === 409 && played.received?.status === 400;
  return family === 'ppf' && due !== 400 && (played.outcome === 'passed' || played.received?.status === 400);
}

function shapesOf(operation: string): readonly string[] {
  return Object.keys(operationOf(operation)?.rules ?? {}).filter(rule => shapes.has(rule));
}

/** The rules about what an operation changes, and in what form: a server that breaks at a request does so before or after it has looked who asks. */
function changesOf(operation: string): readonly string[] {
  return Object.keys(operationOf(operation)?.rules ?? {}).filter(rule => allRules[rule]?.effect === true);
}
