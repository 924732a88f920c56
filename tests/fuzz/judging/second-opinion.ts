// Reads the bytes of a response with Node's own client: a second reader that shares no code with ours.
import { Agent, request } from 'node:http';
import { Duplex } from 'node:stream';
import type { ApiResponse } from './response-reader.js';

/** The disagreement of the two readers; `undefined`: none. Needs the request's method only to know whether it was HEAD. */
export function disagreement(
  { bytes, status, headers, body }: ApiResponse,
  isHead: boolean,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const connection = playing(bytes);
    const agent = new Agent();
    agent.createConnection = () => connection;
    const asked = request({ agent, method: isHead ? 'HEAD' : 'GET', host: 'localhost', path: '/' });
    asked.on('error', error => resolve(`Node's client cannot read it: ${error.message}`));
    asked.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', error => resolve(`Node's client cannot read its body: ${error.message}`));
      response.on('end', () => {
        const differing = [...headers].filter(([name, value]) => String(response.headers[name]) !== value.trim());
        if (response.statusCode !== status) resolve(`Node's client reads ${response.statusCode}, and not ${status}`);
        else if (differing.length > 0) resolve(`Node's client reads other headers: ${differing.join('; ')}`);
        else resolve(Buffer.concat(chunks).equals(body) ? undefined : "Node's client reads another body");
        connection.destroy();
      });
    });
    asked.end();
  });
}

/** A connection that delivers these bytes once something has been sent. */
function playing(bytes: Buffer): Duplex {
  let isPlayed = false;
  return new Duplex({
    read: () => {},
    write(_chunk, _encoding, done) {
      done();
      if (isPlayed) return;
      isPlayed = true;
      this.push(bytes);
      this.push(null);
    },
  });
}
