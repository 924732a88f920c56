// Requests that foreign web pages can send to the control API: none changes anything.
import { expect } from 'chai';
import { useServer } from '../../support/wire/server.js';
import { asked, problemIn } from '../asking.js';

const RESET = '/_fake/v1/sandboxes/default/reset';

describe('a page of another server', () => {
  const server = useServer();
  const change = (headers: readonly string[], method = 'POST', target = RESET) =>
    asked(server.url, { method, target, headers: ['Host: localhost:1', ...headers] });

  for (const own of ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: none', 'Origin: http://localhost:1'])
    it(`is not assumed if the browser sends ${own}`, async () => expect((await change([own])).status).to.equal(204));

  for (const headers of [
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-site'],
    ['Sec-Fetch-Site: SAME-ORIGIN'],
    ['Sec-Fetch-Site:'],
    ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
    ['Origin: null'],
    ['Origin:'],
    ['Origin: http://localhost:2'],
    ['Origin: http://localhost'],
    ['Origin: https://evil.example', 'Sec-Fetch-Site: same-origin'],
    ['Origin: http://localhost:1', 'Origin: https://evil.example'],
    ['Origin: http://localhost:1.evil.example'],
    ['Origin: ws://localhost:1'],
    [`Origin: https://${'a'.repeat(9000)}.example`],
  ])
    it(`changes nothing with ${headers.join(', ').slice(0, 70)}`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'])
        expect(problemIn(await change(headers, method)).status, method).to.equal(403);
      expect((await change(headers, 'POST', '/~a/_fake/v1/provider-states')).status).to.equal(403);
    });

  for (const type of [
    'text/plain',
    'TEXT/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])
    it(`cannot send a form as ${type}, even from a browser without those headers`, async () => {
      const target = '/_fake/v1/sandboxes';
      const body = '{"name":"from-a-form"}';
      const headers = ['Host: localhost', `Content-Type: ${type}`];
      expect((await asked(server.url, { method: 'POST', target, headers, body })).status).to.equal(415);
      expect((await asked(server.url, { method: 'POST', target: RESET, headers, body: '' })).status).to.equal(415);
      expect((await asked(server.url, { target })).body).not.to.contain('from-a-form');
    });
});
