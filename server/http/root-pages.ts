// What is answered outside of both APIs: that the server serves, and what a person sees who opens it in a browser.
import type { Context } from './context.js';

/** A page of its own. */
export interface Page {
  concerns(path: string, method: string): boolean;
  answer(ctx: Context): void;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function frontPage(version: string, hasControl: boolean): Page {
  const further = hasControl
    ? [
        '',
        'guide           /_fake/v1/guide',
        'OpenAPI         /_fake/v1/openapi.json',
        'ledger          /_fake/v1/ledger',
        'control API     /_fake/v1/control-openapi.json',
        'what was asked  /_fake/v1/sandboxes/default/journal',
      ]
    : [];
  const text = [
    `cwx-fake ${version}`,
    '',
    'A fake of the wiki extension API and of the push/pull favourites API.',
    'wiki extension  /rest/cwxapiextension/latest/...',
    'push and pull   /rest/cwx-ppf/latest/...',
    ...further,
    '',
  ].join('\n');
  return {
    concerns: (path, method) => path === '/' && isRead(method),
    answer: ctx => {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = text;
    },
  };
}

/** What a server says of itself. */
export interface Told {
  readonly status: 'ok' | 'waiting';
}

/** `/_fake/health`, which answers whether or not there is a control API: whoever waits for the server may ask. 503: it waits for its store. */
export function healthPage(health: () => Told): Page {
  return {
    concerns: (path, method) => path === '/_fake/health' && isRead(method),
    answer: ctx => {
      ctx.state.endpoint = 'health';
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'application/json';
      const told = health();
      ctx.body = JSON.stringify(told);
      ctx.status = told.status === 'ok' ? 200 : 503;
    },
  };
}
