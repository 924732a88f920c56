// What is answered outside of both APIs: that the server serves, and what a person sees who opens it in a browser.
import type { Context } from '../context.js';

/** A page of its own. */
export interface Page {
  concerns(path: string, method: string): boolean;
  answer(ctx: Context): void | Promise<void>;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function frontPage(version: string, hasControl: boolean): Page {
  const further = hasControl
    ? [
        '',
        'dashboard       /_fake/ui/',
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
      ctx.vary('Accept');
      const isForPeople = ctx.accepts('text/plain', 'text/html') === 'text/html';
      ctx.type = isForPeople ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
      ctx.body = isForPeople ? withLinks(text) : text;
    },
  };
}

/** The same for a browser: whole addresses become links. It holds nothing that a request could bring. */
function withLinks(text: string): string {
  const linked = text.replace(/\/_fake\/\S+/g, path => `<a href="${path}">${path}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>cwx-fake</title><pre>${linked}</pre></html>\n`;
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
