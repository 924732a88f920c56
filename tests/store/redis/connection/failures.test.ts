// The meaning of errors of Redis and of the connection: another attempt, or the right failure with a clear message.
import { expect } from 'chai';
import { isRefusal, meaningOf, reasonText } from '../../../../server/store/redis/connection/failures.js';

/** An error as the client makes one of a reply. */
class SimpleError extends Error {}
class ClientOfflineError extends Error {}
const ofNode = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code });

describe('an error of Redis', () => {
  const lasting: ReadonlyArray<readonly [message: string, failure: string, words: RegExp]> = [
    ["OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:3.", 'full', /no memory left/],
    ['MISCONF Redis is configured to save RDB snapshots, but', 'full', /disk/],
    ['NOREPLICAS Not enough good replicas to write.', 'away', /too few replicas/],
    ['NOAUTH HELLO must be called with the client already authenticated', 'refused', /requires a password/],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'refused', /rejects this user/],
    ["NOPERM this user has no permissions to run the 'evalsha' command", 'refused', /does not allow .*evalsha/],
    [
      "ERR The user executing the script can't run this command or subcommand script: a, on @user_script:1.",
      'refused',
      /does not allow/,
    ],
    ['DENIED Redis is running in protected mode because', 'refused', /protected mode/],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'format', /data of an unexpected type/],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'refused', /redis\+cluster/],
    ['ERR This instance has cluster support disabled', 'refused', /is not a Cluster/],
    ["ERR unknown command 'HELLO', with args beginning with: '3'", 'refused', /older than Redis 7\.0/],
    ['ERR DB index is out of range', 'refused', /no database/],
    ['ERR something new', 'refused', /responds with the error ERR something new/],
  ];
  for (const [message, failure, words] of lasting) {
    it(`is final for ${message.slice(0, 40)}`, () => {
      const meaning = meaningOf(new SimpleError(message));
      expect(meaning).to.include({ next: 'fail', failure });
      expect('words' in meaning && meaning.words).to.match(words);
    });
  }

  for (const code of ['LOADING', 'CLUSTERDOWN', 'TRYAGAIN', 'MASTERDOWN', 'BUSY', 'UNBLOCKED']) {
    it(`is retried for ${code}, as nothing was done`, () => {
      expect(meaningOf(new SimpleError(`${code} whatever`))).to.include({
        next: 'again',
        isUnknown: false,
        failure: 'away',
      });
    });
  }

  it('is retried on a replica, which may become a master, and refused in the end', () => {
    const meaning = meaningOf(new SimpleError("READONLY You can't write against a read only replica."));
    expect(meaning).to.include({ next: 'again', isUnknown: false, failure: 'refused' });
  });

  it('leads to another node for MOVED and ASK, even for IPv6 and without a host', () => {
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

  it('is retried after a lost connection: the command may have run unless it was not sent', () => {
    expect(meaningOf(ofNode('ECONNRESET'))).to.include({ next: 'again', isUnknown: true, failure: 'away' });
    expect(meaningOf(new ClientOfflineError())).to.include({ next: 'again', isUnknown: false, failure: 'away' });
  });

  it('is reported in words if no server is reachable', () => {
    expect(reasonText(ofNode('ECONNREFUSED'))).to.equal('cannot be reached: ECONNREFUSED');
    expect(reasonText(ofNode('ENOTFOUND'))).to.equal('cannot be reached: unknown host');
    expect(reasonText(new Error('Unknown RESP type 72 "H"'))).to.equal('is not a Redis server');
    expect(reasonText(new Error('Connection timeout'))).to.equal('cannot be reached: Connection timeout');
    expect(reasonText(new AggregateError([ofNode('ECONNREFUSED'), ofNode('ETIMEDOUT')]))).to.match(
      /ECONNREFUSED.*ETIMEDOUT/,
    );
    expect(reasonText(new SimpleError('WRONGPASS x'))).to.match(/rejects/);
  });

  it('needs an administrator if the user is refused, and not if the server is down', () => {
    expect(isRefusal(new SimpleError('WRONGPASS x'))).to.equal(true);
    expect(isRefusal(ofNode('ECONNREFUSED'))).to.equal(false);
    expect(isRefusal(undefined)).to.equal(false);
  });
});
