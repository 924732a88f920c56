// Pages outside of the APIs: health, the front page for browsers, and the built files of the dashboard.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
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
  const sendAsset = assetsIn(dashboard);
  router.get([PREFIX, `${PREFIX}*file`], ctx => sendAsset(ctx as unknown as Context));
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
  Vary: 'Accept-Encoding',
};

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

interface Asset {
  readonly plain: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
}

const pack = promisify(gzip);

/** Sends the built files, which are read and compressed once. */
function assetsIn(folder: string): (ctx: Context) => Promise<void> {
  let loading: Promise<ReadonlyMap<string, Asset>> | undefined;
  const load = async () => new Map(await Promise.all(Object.keys(types).map(name => read(folder, name))));
  return async ctx => {
    const name = ctx.path.slice(PREFIX.length) || 'index.html';
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) throw notFound(`The dashboard has no file ${JSON.stringify(name.slice(0, 100))}.`);
    loading ??= load();
    const asset = (
      await loading.catch(error => {
        loading = undefined; // it may be built later
        throw error.code === 'ENOENT' ? notFound('The dashboard is not built: run npm run build.') : error;
      })
    ).get(name);
    const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    ctx.set({ ...headers, ETag: `"${isPacked ? `${asset?.etag}-gz` : asset?.etag}"` });
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else {
      ctx.set('Content-Type', type);
      if (isPacked) ctx.set('Content-Encoding', 'gzip');
      ctx.body = isPacked ? asset?.packed : asset?.plain;
    }
  };
}

async function read(folder: string, name: string): Promise<readonly [name: string, asset: Asset]> {
  const plain = await readFile(join(folder, name));
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return [name, { plain, packed: await pack(plain), etag }];
}

function notFound(detail: string): RefusedRequest {
  return new RefusedRequest({ status: 404, title: 'Not Found', detail });
}
