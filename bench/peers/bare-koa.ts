// The peer to measure against: the least that Koa can do with the same POST. Reads no body and answers a constant.
// Knows nothing of cwx-fake.
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

const app = new Koa();
app.use(ctx => {
  ctx.body = {};
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`bare Koa listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
