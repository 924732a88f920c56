// Serves the built files of the dashboard. Nothing is read before the first request.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { problemResponse } from '../exchange/problem-details.js';
import type { Response } from '../exchange/response.js';
import type { PageRoute } from '../exchange/route.js';
import type { Context } from '../incoming/context.js';
import { targetOf } from '../incoming/request-target.js';

const pack = promisify(gzip);
const PREFIX = '/_fake/ui/';

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

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

interface Asset {
  readonly plain: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
}

/** The pages below `/_fake/ui/`. `folder`: the built files. */
export function dashboardPage(folder: string): PageRoute {
  const assets = new Map<string, Promise<Asset | undefined>>();
  const load = (name: string): Promise<Asset | undefined> => {
    const known = assets.get(name);
    if (known !== undefined) return known;
    const asked = read(join(folder, name));
    assets.set(name, asked);
    asked.then(
      found => found === undefined && assets.delete(name), // it may be built later
      () => assets.delete(name),
    );
    return asked;
  };
  return {
    id: 'dashboard',
    concerns: (path, method) =>
      (method === 'GET' || method === 'HEAD') && (Object.hasOwn(redirections, path) || path.startsWith(PREFIX)),
    respond: async ctx => {
      const { path } = targetOf(ctx);
      const to = redirections[path];
      if (to !== undefined) return { status: 302, headers: { Location: to }, body: '' };
      const name = path.slice(PREFIX.length) || 'index.html';
      if (!Object.hasOwn(types, name))
        return notFound(`The dashboard has no file ${JSON.stringify(name.slice(0, 100))}.`);
      if (name === 'index.html') for (const next of Object.keys(types)) void load(next).catch(() => undefined); // the page requests them next
      const asset = await load(name);
      if (asset === undefined) return notFound('The dashboard is not built: run npm run build.');
      return responseWith(asset, types[name] ?? '', ctx);
    },
  };
}

/** Where short addresses lead: relative, for proxies that add a prefix. */
const redirections: Readonly<Record<string, string>> = { '/_fake': '_fake/ui/', '/_fake/': 'ui/', '/_fake/ui': 'ui/' };

function notFound(detail: string): Response {
  return problemResponse({ status: 404, title: 'Not Found', detail });
}

async function read(file: string): Promise<Asset | undefined> {
  try {
    const plain = await readFile(file);
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return { plain, packed: await pack(plain), etag: hash };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function responseWith({ plain, packed, etag }: Asset, type: string, ctx: Context): Response {
  const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  const tag = `"${isPacked ? `${etag}-gz` : etag}"`;
  const own = { ...headers, Vary: 'Accept-Encoding', ETag: tag };
  const known = ctx.req.headers['if-none-match']?.split(',').map(one => one.trim().replace(/^W\//, ''));
  if (known?.some(one => one === tag || one === '*')) return { status: 304, headers: own };
  const further = { 'Content-Type': type, ...(isPacked && { 'Content-Encoding': 'gzip' }) };
  return { status: 200, headers: { ...own, ...further }, body: isPacked ? packed : plain };
}
