// Pages outside of both APIs: health, and the front page for browsers.
import type { PageRoute } from '../exchange/route.js';

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function frontPage(version: string, hasControl: boolean): PageRoute {
  const further = hasControl
    ? [
        '',
        'dashboard       /_fake/ui/',
        'guide           /_fake/v1/guide',
        'OpenAPI         /_fake/v1/openapi.json',
        'ledger          /_fake/v1/ledger',
        'control API     /_fake/v1/control-openapi.json',
        'journal         /_fake/v1/sandboxes/default/journal',
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
    respond: ctx => {
      const isForPeople = ctx.accepts('text/plain', 'text/html') === 'text/html';
      return {
        status: 200,
        headers: { Vary: 'Accept', 'Content-Type': `text/${isForPeople ? 'html' : 'plain'}; charset=utf-8` },
        body: isForPeople ? withLinks(text) : text,
      };
    },
  };
}

/** HTML for browsers, with links. It contains nothing from the request. */
function withLinks(text: string): string {
  const linked = text.replace(/\/_fake\/\S+/g, path => `<a href="${path}">${path}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>cwx-fake</title><pre>${linked}</pre></html>\n`;
}

/** The health of a server. */
export interface HealthReport {
  readonly status: 'ok' | 'waiting';
}

/** `/_fake/health`, with or without a control API. 503: it waits for its store. */
export function healthPage(health: () => HealthReport): PageRoute {
  return {
    id: 'health',
    concerns: (path, method) => path === '/_fake/health' && isRead(method),
    respond: () => {
      const report = health();
      return {
        status: report.status === 'ok' ? 200 : 503,
        headers: { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' },
        body: JSON.stringify(report),
      };
    },
  };
}
