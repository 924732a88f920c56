// Pages outside of the APIs: health, the front page for browsers, and the built files of the dashboard.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import Router from '@koa/router';
import { HEALTH } from './control.js';
import { send } from './faked-apis.js';
import type { Context, Middleware } from './incoming/context.js';
import { RefusedRequest } from './incoming/problem-details.js';

/** The health of a server. */
export interface HealthReport {
  readonly status: 'ok' | 'waiting';
}

interface PageParts {
  readonly version: string;
  readonly hasControl: boolean;
  /** Whether `/` is a page, and not a path of another server. */
  readonly hasFront: boolean;
  readonly health: () => HealthReport;
  /** The built files of the dashboard. */
  readonly dashboard: string;
}

/** Nothing is read before the first request. */
export function pages({ version, hasControl, hasFront, health, dashboard }: PageParts): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.get(HEALTH, ctx => sendHealth(ctx as unknown as Context, health()));
  if (hasFront) router.get('/', ctx => sendFront(ctx as unknown as Context, frontText(version, hasControl)));
  if (!hasControl) return router.routes() as unknown as Middleware;
  for (const [path, to] of Object.entries(redirections))
    router.get(path, ctx => redirect(ctx as unknown as Context, to));
  router.get([PREFIX, `${PREFIX}*file`], ctx => sendFile(ctx as unknown as Context, dashboard));
  return router.routes() as unknown as Middleware;
}

/** 503: it waits for its store. */
function sendHealth(ctx: Context, report: HealthReport): void {
  ctx.status = report.status === 'ok' ? 200 : 503;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = report;
}

function sendFront(ctx: Context, text: string): void {
  const isForPeople = ctx.accepts('text/plain', 'text/html') === 'text/html';
  ctx.set('Vary', 'Accept');
  ctx.type = isForPeople ? 'html' : 'text';
  ctx.body = isForPeople ? withLinks(text) : text;
}

function frontText(version: string, hasControl: boolean): string {
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
  return [
    `cwx-fake ${version}`,
    '',
    'A fake of the wiki extension API and of the push/pull favourites API.',
    'wiki extension  /rest/cwxapiextension/latest/...',
    'push and pull   /rest/cwx-ppf/latest/...',
    ...further,
    '',
  ].join('\n');
}

/** HTML for browsers, with links. It contains nothing from the request. */
function withLinks(text: string): string {
  const linked = text.replace(/\/_fake\/\S+/g, path => `<a href="${path}">${path}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>cwx-fake</title><pre>${linked}</pre></html>\n`;
}

const PREFIX = '/_fake/ui/';

/** Where short addresses lead: relative, for proxies that add a prefix. */
const redirections: Readonly<Record<string, string>> = { '/_fake': '_fake/ui/', '/_fake/': 'ui/', '/_fake/ui': 'ui/' };

function redirect(ctx: Context, to: string): void {
  send(ctx, { status: 302, headers: { Location: to } });
}

/** The page may use only its own server and scripts, and may not be framed. */
const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache', // revalidated each time by its ETag
};

const files = new Set(['index.html', 'dashboard.js', 'dashboard.css', 'icon.svg']);

/** Sends a built file of the dashboard. */
async function sendFile(ctx: Context, folder: string): Promise<void> {
  const name = ctx.path.slice(PREFIX.length) || 'index.html';
  if (!files.has(name)) throw notFound(`The dashboard has no file ${JSON.stringify(name.slice(0, 100))}.`);
  const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound('The dashboard is not built: run npm run build.') : error;
  });
  ctx.set(headers);
  ctx.type = extname(name);
  ctx.etag = createHash('sha256').update(bytes).digest('base64url');
  ctx.body = bytes;
  if (ctx.fresh) ctx.status = 304;
}

function notFound(detail: string): RefusedRequest {
  return new RefusedRequest({ status: 404, title: 'Not Found', detail });
}
