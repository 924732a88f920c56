// A connection with many pipelined requests does not block others.
import { expect } from 'chai';
import { silentLog } from '../../../server/engine/log.js';
import { limitedServer } from '../../../server/http/connections/connections.js';
import { RawConnection, requestBytes, responsesIn } from '../../support/wire/raw-connection.js';
import { listening } from '../../support/wire/server.js';

describe('many requests in one packet', () => {
  it('take turns with those of other connections', async () => {
    const asked: string[] = [];
    const listener = async (url = '') => {
      asked.push(url);
      await undefined; // an app that returns promises: the next request would start in the same turn of the event loop
    };
    const { server, close } = limitedServer(
      { requestTimeout: 0, headersTimeout: 0, maxConnections: 0 },
      (request, response) => void listener(request.url).then(() => response.end()),
      silentLog,
    );
    const url = await listening(server);
    const [many, one] = [await RawConnection.to(url), await RawConnection.to(url)];
    many.write(requestBytes('GET', '/many').repeat(500));
    one.write(requestBytes('GET', '/one'));
    await one.until(received => responsesIn(received).length === 1);
    await many.until(received => responsesIn(received).length === 500);
    many.close();
    one.close();
    await close();
    expect(asked.filter(path => path === '/many')).to.have.length(500);
    expect(asked.indexOf('/one')).to.be.below(60);
  });
});
