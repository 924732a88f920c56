// The headers that say what decided a response.
import type { Result } from '../../engine/request/result.js';
import { isShownGap } from '../../operations/gaps/gaps-address.js';

/** The rules and readings that decided; names and values alternate. Address rules are omitted for served addresses. */
export function explanation(sandbox: string, result: Result): string[] {
  const { operation, rules, gaps, refused, injected, stub, product } = result;
  const list = ['X-Fake-Sandbox', sandbox];
  if (product !== undefined) list.push('X-Fake-Source', product);
  if (operation !== undefined) list.push('X-Fake-Operation', operation);
  const deciding = rules.filter(rule => !rule.startsWith('address.'));
  let readings = '';
  for (const gap in gaps)
    if (isShownGap(gap, refused)) readings += `${readings === '' ? '' : ', '}${gap}=${gaps[gap as keyof typeof gaps]}`;
  list.push('X-Fake-Rules', (deciding.length > 0 ? deciding : rules).join(', '), 'X-Fake-Gaps', readings);
  if (stub !== undefined) list.push('X-Fake-Stub', stub.name);
  if (injected !== undefined) list.push('X-Fake-Fault', injected.name);
  return list;
}
