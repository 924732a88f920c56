// The peer in between: the usual stack of parser, router and validator as their makers show it, with no domain behind it.
// Knows nothing of cwx-fake but the paths it serves.
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

const membership = {
  type: 'object',
  properties: { group: { type: 'string' }, users: { type: 'array', items: { type: 'string' } } },
  required: ['group', 'users'],
};
const fits = new Ajv2020().compile(membership);
const router = new Router();
const wiki = '/rest/cwxapiextension/latest';

for (const name of ['add-sidebar-link', 'copySpace', 'isUnique', 'replaceInPage']) {
  router.post(`${wiki}/spaces/${name}`, response);
}
for (const name of ['edit', 'view']) {
  router.put(`${wiki}/permissions/${name}/:pageId`, response);
  router.delete(`${wiki}/permissions/${name}/:pageId`, response);
}
router.delete(`${wiki}/permissions/all/:pageId`, response);
for (const name of ['push', 'pull']) router.post(`/rest/cwx-ppf/latest/${name}`, response);
for (const name of ['add-users', 'remove-users', 'set-users']) router.post(`${wiki}/groups/${name}`, response);

function response(ctx: Koa.Context): void {
  ctx.status = fits(ctx.request.body) ? 200 : 400;
  ctx.body = {};
}

const app = new Koa();
app.use(bodyParser()).use(router.routes()).use(router.allowedMethods());
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`plain Koa listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
