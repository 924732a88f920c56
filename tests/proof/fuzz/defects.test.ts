// The fuzz can fail: it finds the defect of each defective server.
import { expect } from 'chai';
import { silentLog } from '../../../server/engine/log.js';
import { type Assembled, assemble } from '../../../server/process/server.js';
import { listen } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { MAX_BODY } from '../../fuzz/bytes.js';
import { fuzz } from '../../fuzz/property.js';

/** Spoils a server before it listens. */
type Defect = (server: Assembled) => void;

/** One of some hundred requests is answered otherwise. */
const seldom =
  (spoil: (head: { status: number; length: number }) => { status: number; length: number }): Defect =>
  ({ app }) => {
    let count = 0;
    app.middleware.unshift(async (ctx, next) => {
      await next();
      count += 1;
      if (count % 200 !== 0 || ctx.path.startsWith('/_fake') || typeof ctx.body !== 'string' || ctx.body === '') return;
      const { status, length } = spoil({ status: ctx.status, length: Buffer.byteLength(ctx.body) });
      ctx.status = status;
      ctx.set('Content-Length', String(length));
    });
  };

const defects: Readonly<Record<string, Defect>> = {
  'a 500 for one request of many': seldom(({ length }) => ({ status: 500, length })),
  'a response that says it is longer than it is': seldom(({ status, length }) => ({ status, length: length + 1 })),
  'a response that says it is shorter than it is': seldom(({ status, length }) => ({ status, length: length - 1 })),
  'a request that is performed twice': ({ session }) => {
    const once = session.respond.bind(session);
    let count = 0;
    session.respond = async (...asked) => {
      count += 1;
      if (count % 50 === 0) await once(...asked);
      return once(...asked);
    };
  },
  'a connection that is held open for ever': ({ app }) =>
    app.middleware.unshift((ctx, next) => {
      if (ctx.req.headers['content-length'] !== undefined) ctx.req.socket.removeAllListeners('end');
      return next();
    }),
};

describe('the fuzz', () => {
  for (const [what, spoil] of Object.entries(defects))
    it(`finds ${what}`, async () => {
      const settings = settingsFrom(undefined, { port: '0', 'max-body': String(MAX_BODY) });
      const assembled = await assemble(settings, silentLog);
      if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
      spoil(assembled);
      const running = await listen(assembled, settings, silentLog);
      const found = await fuzz(running.url, 1_000, 7, 300).then(() => 'nothing', String);
      await running.stop();
      expect(found).to.include('Property failed');
    });
});
