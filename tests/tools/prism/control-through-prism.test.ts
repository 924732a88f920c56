// Every endpoint of the control API, with successes and refusals, through the validating proxy Prism with its published document.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { type Fake, startFake } from '../../../server/index.js';
import { type Connection, connection } from '../../../server/library/port/http-connection.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { addressed, prepared, withName } from '../../control/driving.js';
import { livedIn } from '../../control/lived-in.js';
import type { Bad, Case, Row } from '../../control/row.js';
import { rows } from '../../control/rows.js';
import { packageFolder } from '../../support/processes/built.js';
import { type Exchange, ValidatingProxy } from './validating-proxy.js';

/** It never ends, and a proxy that buffers the whole response would wait for ever. */
const endless = ['events.read'];

describe('the control API, through the validating proxy Prism', () => {
  let fake: Fake;
  let wire: Connection;
  let proxy: ValidatingProxy;
  before(async () => {
    fake = await startFake();
    wire = connection(fake.url);
    proxy = await ValidatingProxy.start(published());
  });
  after(async () => {
    await proxy.stop();
    wire.close();
    await fake.stop();
  });

  const ask = ({ endpoint }: Row, name: string, { params, query, body }: Case | Bad): Promise<Exchange> => {
    const { method, url } = addressed('', endpoint, { s: name, name: 'before', ...params }, query);
    const request: HttpRequest = {
      method,
      path: url,
      headers: { 'X-Fake-Sandbox': name, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(withName(body, name)) }),
    };
    return proxy.pass(request, async asked => (await wire.send(asked)) satisfies RawResponse);
  };

  for (const [number, row] of rows.filter(({ id }) => id !== 'health').entries()) {
    // it lies outside of the document
    it(`accepts documented requests, and answers as documented: ${row.endpoint}`, async () => {
      for (const [place, one] of row.cases.entries()) {
        const name = `done-${number}-${place}`;
        await prepared(fake, name, one);
        const { answered, ofRequest, ofResponse } = await ask(row, name, one);
        expect([...ofRequest, ...ofResponse], one.what).to.deep.equal([]);
        expect(answered.status, answered.text).to.equal(one.status ?? 200);
      }
    });

    if (row.bad !== undefined)
      it(`refuses requests as documented: ${row.endpoint}`, async () => {
        const name = `refused-${number}`;
        await livedIn(fake, name);
        for (const bad of row.bad ?? []) {
          const { answered, ofResponse } = await ask(row, name, bad);
          expect(ofResponse, bad.what).to.deep.equal([]);
          expect(answered.status, answered.text).to.equal(bad.status ?? 400);
        }
      });
  }

  it('is called completely: every endpoint, with every documented success', () => {
    const driven = new Set(rows.flatMap(({ id, cases }) => cases.map(({ status = 200 }) => `${id} ${status}`)));
    const documented = actions
      .filter(({ id }) => !endless.includes(id))
      .flatMap(({ id, replies }) =>
        replies.filter(({ status }) => status < 300).map(({ status }) => `${id} ${status}`),
      );
    expect(documented.filter(one => !driven.has(one))).to.deep.equal([]);
  });

  it('is published completely: every endpoint with every status', () => {
    const { paths } = published();
    for (const { path, method, replies } of actions) {
      const statuses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {});
      expect(statuses, `${method} ${path}`).to.include.members([...replies.map(({ status }) => String(status)), '4XX']);
    }
  });
});

function published(): { paths: Record<string, Record<string, { responses: object }>> } {
  return JSON.parse(readFileSync(`${packageFolder}/dist/contracts/control-openapi.json`, 'utf8')); // our own document, which is linted
}
