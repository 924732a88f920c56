// Decides requests to the control API: reads the input of the action, has it run, and turns the outcome into a response.

import { Socket } from 'node:net';
import { type Action, ActionProblem, JsonParts } from '../../control/actions/action.js';
import type { ControlContext } from '../../control/actions/control-context.js';
import { type ActionInput, invoke } from '../../control/invoke.js';
import { bytesFor, weightOf } from '../../control/weights.js';
import { isObject } from '../../domain/form/patch.js';
import { type Admission, HEAVY_RECORDS } from '../../engine/admission.js';
import type { Feed } from '../../engine/events/feed.js';
import type { Log } from '../../engine/log.js';
import { excessOf } from '../../engine/request/body-bytes.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import { type Body, parseQuery } from '../../engine/request/request.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import { sandboxIn } from '../../operations/address.js';
import { quoted } from '../../operations/lookups.js';
import type { Exchange } from '../exchange/exchange.js';
import { refuse } from '../exchange/refuse.js';
import type { Response } from '../exchange/response.js';
import type { ControlRoute } from '../exchange/route.js';
import { isForeign } from '../guards/cross-site.js';
import { requestRoot } from '../incoming/base-url.js';
import { targetOf } from '../incoming/request-target.js';
import { sandboxNamed } from '../incoming/sandbox-named.js';
import type { Metrics } from '../metrics/metrics.js';
import { type StreamSettings, streamEvents } from '../writing/event-stream.js';
import { streamedText } from '../writing/streamed-text.js';

export interface ActionParts {
  readonly context: ControlContext;
  readonly admission: Admission;
  readonly streams: StreamSettings;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class ActionCalls {
  constructor(private readonly parts: ActionParts) {}

  /** The response, after the action is done. Rejects with a `StoreError`. */
  async decide(exchange: Exchange, route: ControlRoute): Promise<Response> {
    const { log } = this.parts;
    if (route.action === undefined) {
      const otherwise = route.otherwise();
      return 'title' in otherwise ? refuse(exchange, otherwise, log) : otherwise;
    }
    const { action, params } = route;
    const given = givenTo(action, exchange, params);
    if (given instanceof ActionProblem) return refuse(exchange, given, log);
    if (isStream(action) && !(exchange.ctx.req.socket instanceof Socket)) return refuse(exchange, noSocket, log);
    const respond = () => this.#respond(action, given, exchange);
    const weight = exchange.isAdmitted ? 0 : this.#weightOf(action, given);
    return weight > HEAVY_RECORDS ? this.parts.admission.run(respond, () => bytesFor(weight)) : respond();
  }

  async #respond(action: Action, given: ActionInput, exchange: Exchange): Promise<Response> {
    const outcome = await invoke(action, given, this.parts.context);
    if (outcome instanceof ActionProblem) return refuse(exchange, outcome, this.parts.log);
    return isStream(action) ? this.#streaming(outcome as Feed, exchange, given.sandbox) : responseTo(action, outcome); // the result of the streaming action
  }

  #weightOf({ id }: Action, { sandbox, pairs = [], body = {} }: ActionInput): number {
    const { context } = this.parts;
    const asked = { sandbox: context.session.peek(sandbox), query: Object.fromEntries(pairs), body: body ?? {} };
    return weightOf(id, asked, context);
  }

  #streaming(feed: Feed, exchange: Exchange, sandbox: string): Response {
    const { streams, metrics, log } = this.parts;
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
      body: async res => {
        await streamEvents(res, feed, streams);
        if (!feed.isCutOff) return;
        metrics.cutOff += 1;
        log.info('an event stream was cut off because its reader was too slow', { sandbox, requestId: exchange.id });
      },
    };
  }
}

/** The success of an action is its first reply. */
function responseTo({ replies }: Action, outcome: unknown): Response {
  const [{ status, contentType = 'application/json' } = { status: 204 }] = replies;
  const headers = { 'Content-Type': contentType };
  if (outcome === undefined) return { status, headers };
  const isText = typeof outcome === 'string';
  return {
    status,
    headers,
    body: outcome instanceof JsonParts ? streamedText(outcome.parts) : isText ? outcome : JSON.stringify(outcome),
  };
}

function isStream({ replies }: Action): boolean {
  return replies[0]?.contentType === 'text/event-stream';
}

const noSocket = new ActionProblem(
  501,
  'Streaming requires a socket',
  'A fake without a socket cannot stream a response: read the events with sandbox.events().',
);

function givenTo(
  action: Action,
  { ctx, body }: Exchange,
  params: Readonly<Record<string, string>>,
): ActionInput | ActionProblem {
  const { s, ...others } = params;
  const { path, query } = targetOf(ctx);
  const { pairs, undecodable } = parseQuery(query);
  if (undecodable !== undefined)
    return new ActionProblem(
      400,
      'Invalid percent-encoding',
      `${quoted(undecodable)} is not valid percent-encoded UTF-8.`,
    );
  const lastEventId = isStream(action) ? ctx.req.headers['last-event-id'] : undefined;
  return {
    root: requestRoot(ctx.req),
    sandbox: s ?? sandboxNamed(ctx, sandboxIn(path).sandbox) ?? DEFAULT_SANDBOX,
    mustExist: ctx.req.headers['if-match'] === '*' || isForeign(ctx.req), // RFC 9110, 13.1.1
    isStreamed: true,
    params: others,
    pairs: lastEventId === undefined ? pairs : [['lastEventId', String(lastEventId)]],
    ...bodyOf(action, body),
  };
}

function bodyOf({ body: spec }: Action, body: Body): Pick<ActionInput, 'body' | 'length'> {
  if (body.kind === 'absent' && (spec === undefined || spec.isOptional)) return {};
  if (body.kind === 'too-large')
    return { body: new ActionProblem(413, 'The body is too large', `It ${excessOf(body)}.`) };
  if (spec === undefined && !(body.kind === 'json' && isEmptyObject(body.value)))
    return { body: new ActionProblem(400, 'Unexpected body', 'This action takes no body.') };
  if (spec === undefined) return {};
  if (body.kind !== 'json') {
    const what = 'problem' in body ? `${body.problem}.` : `It is ${body.kind}: send JSON.`;
    return { body: new ActionProblem(400, 'The body is not JSON', what) };
  }
  const tooDeep = nestingProblem(body.text);
  return tooDeep === undefined
    ? { body: body.value, length: body.text.length }
    : { body: new ActionProblem(400, 'The body is nested too deep', `${tooDeep}.`) };
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
