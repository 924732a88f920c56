// What errors of Redis and of the connection mean: each is a try more, or the right end in words.
import { expect } from 'chai';
import { isRefusal, meaningOf, told } from '../../../../server/store/redis/connection/failures.js';

/** As the client makes one of an answer. */
class SimpleError extends Error {}
class ClientOfflineError extends Error {}
const ofNode = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code });

describe('what an error of Redis means', () => {
  const lasting: ReadonlyArray<readonly [message: string, failure: string, words: RegExp]> = [
    ["OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:3.", 'full', /no memory left/],
    ['MISCONF Redis is configured to save RDB snapshots, but', 'full', /disk/],
    ['NOREPLICAS Not enough good replicas to write.', 'full', /too few replicas/],
    ['NOAUTH HELLO must be called with the client already authenticated', 'refused', /wants a password/],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'refused', /does not take this user/],
    ["NOPERM this user has no permissions to run the 'evalsha' command", 'refused', /does not allow .*evalsha/],
    [
      "ERR The user executing the script can't run this command or subcommand script: a, on @user_script:1.",
      'refused',
      /does not allow/,
    ],
    ['DENIED Redis is running in protected mode because', 'refused', /protected mode/],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'format', /something else/],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'refused', /redis\+cluster/],
    ['ERR This instance has cluster support disabled', 'refused', /is no Cluster/],
    ["ERR unknown command 'HELLO', with args beginning with: '3'", 'refused', /older than Redis 7\.0/],
    ['ERR DB index is out of range', 'refused', /no database/],
    ['ERR something new', 'refused', /answers: ERR something new/],
  ];
  for (const [message, failure, words] of lasting) {
    it(`is an end for ${message.slice(0, 40)}`, () => {
      const meaning = meaningOf(new SimpleError(message));
      expect(meaning).to.include({ next: 'fail', failure });
      expect('words' in meaning && meaning.words).to.match(words);
    });
  }

  for (const code of ['LOADING', 'CLUSTERDOWN', 'TRYAGAIN', 'MASTERDOWN', 'BUSY', 'UNBLOCKED']) {
    it(`is another try for ${code}, of which nothing was done`, () => {
      expect(meaningOf(new SimpleError(`${code} whatever`))).to.include({
        next: 'again',
        isUnknown: false,
        failure: 'away',
      });
    });
  }

  it('is another try on a replica, which may become a master, and refused at last', () => {
    const meaning = meaningOf(new SimpleError("READONLY You can't write against a read only replica."));
    expect(meaning).to.include({ next: 'again', isUnknown: false, failure: 'refused' });
  });

  it('is another node for MOVED and ASK, also by IPv6 and where the node says no host', () => {
    expect(meaningOf(new SimpleError('MOVED 3999 127.0.0.1:6381'))).to.deep.equal({
      next: 'moved',
      slot: 3999,
      host: '127.0.0.1',
      port: 6381,
    });
    expect(meaningOf(new SimpleError('ASK 3999 ::1:6381'))).to.deep.equal({
      next: 'ask',
      slot: 3999,
      host: '::1',
      port: 6381,
    });
    expect(meaningOf(new SimpleError('MOVED 1 :6381'))).to.include({ host: '', port: 6381 });
  });

  it('is another try where the connection was lost: it may have been done, unless it was not sent', () => {
    expect(meaningOf(ofNode('ECONNRESET'))).to.include({ next: 'again', isUnknown: true, failure: 'away' });
    expect(meaningOf(new ClientOfflineError())).to.include({ next: 'again', isUnknown: false, failure: 'away' });
  });

  it('is told in words where nothing can be reached', () => {
    expect(told(ofNode('ECONNREFUSED'))).to.equal('cannot be reached: ECONNREFUSED');
    expect(told(ofNode('ENOTFOUND'))).to.equal('cannot be reached: there is no host of that name');
    expect(told(new Error('Unknown RESP type 72 "H"'))).to.equal('is no Redis: something else answers there');
    expect(told(new Error('Connection timeout'))).to.equal('cannot be reached: Connection timeout');
    expect(told(new AggregateError([ofNode('ECONNREFUSED'), ofNode('ETIMEDOUT')]))).to.match(/ECONNREFUSED.*ETIMEDOUT/);
    expect(told(new SimpleError('WRONGPASS x'))).to.match(/does not take/);
  });

  it('needs somebody to change something where the user is not let in, and not where the server is away', () => {
    expect(isRefusal(new SimpleError('WRONGPASS x'))).to.equal(true);
    expect(isRefusal(ofNode('ECONNREFUSED'))).to.equal(false);
    expect(isRefusal(undefined)).to.equal(false);
  });
});
