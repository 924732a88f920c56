// The doctor finds nothing on a server with its defaults, and exactly the hole on one with a flag that opens it.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import type { FlagValues } from '../../../server/settings.js';
import { examined, named } from '../../doctor/stand-ins.js';
import { serving } from '../../support/wire/server.js';

/** So short that the doctor sees slow connections closed: everything else has its default. */
const defaults: FlagValues = { 'headers-timeout': '1', 'request-timeout': '1' };
/** The same with sandboxes that fill up soon. */
const hurried: FlagValues = { ...defaults, 'max-sandbox': '8' };
const worldWide: FlagValues = { ...hurried, host: '0.0.0.0' };
const slow = ['slow-headers', 'slow-body', 'silent-connection'];

describe('the doctor and the flags of serve', function () {
  this.timeout(60_000);
  let server: Running | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  const startWith = async (flags: FlagValues) => {
    server = await serving(undefined, flags);
    return server.url.replace('0.0.0.0', '127.0.0.1');
  };

  it('finds a server with its defaults safe, and leaves it as it was', async () => {
    const url = await startWith(defaults);
    const found = await examined(url);
    expect(named(found, 'open')).to.deep.equal([]);
    expect(named(found, 'failed to ask')).to.deep.equal([]);
    expect(named(found, 'not applicable')).to.deep.equal([
      'control-without-token',
      'wrong-token',
      'plain-http',
      'connection-limit',
    ]);
    expect(named(found, 'passed')).to.have.length(found.verdicts.length - 4);
    const sandboxes = server?.session.list() ?? [];
    expect(sandboxes.map(({ name }) => name)).to.deep.equal(['default']);
    expect(sandboxes[0]?.journal.entries()).to.deep.equal([]);
    expect(sandboxes[0]?.head.version).to.equal(0);
  });

  const holes: ReadonlyArray<readonly [flags: FlagValues, open: readonly string[]]> = [
    [{ ...hurried, 'allow-host': ['any'] }, ['foreign-host']],
    [{ ...hurried, 'max-body': '1073741824' }, ['large-body']],
    [{ ...hurried, 'request-timeout': '0' }, ['slow-body']],
    [{ ...hurried, 'headers-timeout': '0', 'request-timeout': '0' }, slow],
  ];
  for (const [flags, open] of holes) {
    it(`finds ${open.join(', ')} open with ${JSON.stringify(flags)}`, async () => {
      const found = await examined(await startWith(flags));
      expect(named(found, 'open')).to.deep.equal(open);
      expect(named(found, 'failed to ask')).to.deep.equal([]);
    });
  }

  it('reports only the public address if the control API requires a token', async () => {
    const url = await startWith({ ...worldWide, 'control-token': 'let-me-in' });
    const found = await examined(url, { token: 'let-me-in' });
    expect(named(found, 'open')).to.deep.equal(['beyond-loopback']);
    expect(named(found, 'not applicable')).to.deep.equal(['plain-http', 'connection-limit']);
  });

  it('reports a public control API without a token', async () => {
    const found = await examined(await startWith({ ...worldWide, control: 'open' }));
    expect(named(found, 'open')).to.deep.equal(['beyond-loopback', 'control-without-token']);
  });

  it('reports slow headers only if they have no limit of their own', async () => {
    const openWith = async (seconds: string) => {
      const url = await startWith({ 'headers-timeout': seconds, 'request-timeout': '60' });
      const open = named(await examined(url, { only: slow }), 'open');
      await server?.stop();
      server = undefined;
      return open;
    };
    expect(await openWith('1')).to.deep.equal(['slow-body']);
    expect(await openWith('0')).to.deep.equal(slow);
  });

  it('reports an unlimited number of connections, and none if it is limited', async () => {
    const only = ['idle-connections', 'connection-limit'];
    const without = await examined(await startWith({ 'max-connections': '0' }), { only, isTooMany: true });
    expect(named(without, 'open')).to.deep.equal(['connection-limit']);
    expect(named(without, 'passed')).to.deep.equal(['idle-connections']);
    await server?.stop();
    const limited = await examined(await startWith({ 'max-connections': '20' }), { only, isTooMany: true });
    expect(named(limited, 'passed')).to.deep.equal(only);
    const [crowd = '', limit = ''] = limited.verdicts.map(({ says }) => says);
    expect(crowd).to.match(/^with 19 idle connections it answers 200$/);
    expect(limit).to.match(/^64 connections at once, 4\d were turned away$/);
  });

  it('tries what needs no sandbox if there is no control API, and leaves no trace', async () => {
    const url = await startWith({ ...hurried, control: 'off' });
    const found = await examined(url);
    expect(named(found, 'open')).to.deep.equal([]);
    expect(named(found, 'failed to ask')).to.deep.equal([]);
    expect(found.verdicts.find(({ attack }) => attack.name === 'secrets')?.says).to.equal(
      'there is no control API to make a sandbox with',
    );
    expect(named(found, 'passed')).to.include.members(['foreign-host', 'cors-headers', 'request-smuggling', ...slow]);
    const sandboxes = server?.session.list() ?? [];
    expect(sandboxes.map(({ name, journal }) => [name, journal.size])).to.deep.equal([['default', 0]]);
  });

  it('lists what it cannot try without the token', async () => {
    const found = await examined(await startWith({ ...hurried, 'control-token': 'let-me-in' }), {
      only: ['wrong-token', 'prototype-names', 'server-errors'],
    });
    expect(found.verdicts.map(({ judgement, says }) => [judgement, says])).to.deep.equal([
      ['passed', '8 tries: 8 × 401'],
      ['not applicable', 'the control API takes a token: give it with --control-token'],
      ['passed', '10 answers, none of them 5xx'],
    ]);
  });
});
