// One request as a log line for people, or as fields, without secrets and control characters.

import { visible } from '../derive/text/visible.js';
import type { LoggedForwarded, LoggedRequest } from '../engine/log.js';
import { redactText, redactUrl } from '../engine/secrets.js';
import { warningsOf } from '../operations/gaps/gaps.js';
import { isShownGap } from '../operations/provenance.js';
import type { Paint } from './colors.js';

/** `12:00:01 test-42 POST groups/add-users 200 1 ms · groups.add-users · guesses: unknown-user=skip` */
export function requestLine(request: LoggedRequest, at: Date, paint: Paint): string {
  const { sandbox, method, status, duration, traceparent, result } = request;
  const { operation, refused, injected, forwarded, gaps = {} } = result ?? {};
  const guesses = Object.entries(gaps)
    .filter(([gap]) => isShownGap(gap, refused))
    .map(([gap, reading]) => `${gap}=${reading}`);
  const head = [
    paint('dim', timeText(at)),
    visible(redactText(sandbox.slice(0, 64))),
    visible(method),
    pathText(request),
    paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
    paint('dim', `${Math.round(duration)} ms`),
  ].join(' ');
  return [
    head,
    ...(operation === undefined ? [] : [operation]),
    ...(refused === undefined ? [] : [refused]),
    ...(injected === undefined ? [] : [paint('red', `fault: ${injected.name}`)]),
    ...(forwarded === undefined ? [] : [forwardedText(forwarded)]),
    ...(traceparent === undefined ? [] : [paint('dim', `trace ${traceparent.split('-')[1]}`)]),
    ...(guesses.length === 0 ? [] : [paint('yellow', `guesses: ${guesses.join(', ')}`)]),
  ].join(' · ');
}

/** What the line says, as fields for JSON. */
export function requestFields({ sandbox, method, url, status, duration, traceparent, result }: LoggedRequest): object {
  const { operation, refused, injected, forwarded, rules, gaps } = result ?? {};
  const warnings = warningsOf(gaps ?? {});
  return {
    sandbox: redactText(sandbox.slice(0, 64)),
    method,
    url: redactUrl(url),
    status,
    ms: Math.round(duration * 1000) / 1000,
    traceparent,
    operation,
    refused,
    fault: injected?.name,
    forwarded,
    rules,
    gaps,
    ...(warnings.length > 0 && { warnings }),
  };
}

function forwardedText({ to, problem }: LoggedForwarded): string {
  return visible(`forwarded to ${to}${problem === undefined ? '' : `: ${problem}`}`);
}

/** The path below the API's prefix without the query; other paths unchanged. */
function pathText({ path, url }: LoggedRequest): string {
  const [shown = ''] = redactUrl(path ?? url).split('?', 1);
  return visible(path === undefined ? shown : shown.replace(/^\//, '')).slice(0, 120);
}

function timeText(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(part => String(part).padStart(2, '0')).join(':');
}
