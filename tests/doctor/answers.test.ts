// Responses on a raw connection: whole and partial, one after another, with every way to end a body.
import { expect } from 'chai';
import { answersIn, headerOf } from '../../server/doctor/answers.js';

const read = (text: string, isEnded = false) => answersIn(Buffer.from(text, 'latin1'), isEnded);

describe('responses on a raw connection', () => {
  it('are read one after the other', () => {
    const answers = read(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\nokHTTP/1.1 204 No Content\r\n\r\nHTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n',
    );
    expect(answers.map(({ status, text, isWhole }) => [status, text, isWhole])).to.deep.equal([
      [200, 'ok', true],
      [204, '', true],
      [404, '', true],
    ]);
    expect(answers[0] && headerOf(answers[0], 'x-a')).to.equal('b');
  });

  it('have bodies by length, in chunks, or up to the end of the connection', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(read(`${head}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`)[0]).to.include({ text: 'abcde', isWhole: true });
    expect(read(`${head}3\r\nabc\r\n2\r\nd`)[0]).to.include({ text: 'abc', isWhole: false });
    expect(read('HTTP/1.1 200 OK\r\n\r\nabc')[0]).to.include({ text: 'abc', isWhole: false });
    expect(read('HTTP/1.1 200 OK\r\n\r\nabc', true)[0]).to.include({ text: 'abc', isWhole: true });
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc', true)[0]).to.include({ isWhole: false });
  });

  it('are incomplete before their head is whole; interim responses are skipped', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n')).to.deep.equal([]);
    expect(read('HTTP/1.1 100 Continue\r\n\r\n')).to.deep.equal([]);
    expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n')[0]?.status).to.equal(400);
  });

  it('show every header that a client might read, whatever ends its line', () => {
    for (const end of ['\r\n', '\n', '\r']) {
      const [answer] = read(`HTTP/1.1 200 OK\r\nX-A: b${end}X-Split: yes\r\nContent-Length: 0\r\n\r\n`);
      expect(answer && headerOf(answer, 'x-split'), JSON.stringify(end)).to.equal('yes');
    }
  });

  it('have the status 0 if they are not HTTP', () => {
    expect(read('hello\r\n\r\n')[0]).to.include({ status: 0 });
    expect(
      read('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nnonsense\r\n\r\n').map(({ status }) => status),
    ).to.deep.equal([200, 0]);
  });
});
