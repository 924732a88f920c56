// An address that does not answer is skipped, and an error of the doctor's own is reported.
import { expect } from 'chai';
import { beyondLoopback } from '../../server/doctor/attacks/addresses.js';
import { type Exchange, Instance } from '../../server/doctor/instance.js';
import type { Line } from '../../server/doctor/line.js';
import { Wire } from '../../server/doctor/wire.js';
import { Unreachable } from '../../server/scenario/play/target.js';

class OneLine extends Wire {
  override async open(): Promise<Line> {
    return { remote: '127.0.0.1', end: () => {} } as Partial<Line> as Line; // nothing else of it is used
  }
}

/** An instance that answers at its own address, and fails in this way at the other one. */
class FailingElsewhere extends Instance {
  constructor(private readonly failure: Error) {
    const url = new URL('http://127.0.0.1:1');
    const wire = new OneLine(url, 1, new AbortController().signal);
    super({ url, wire, why: '', answerTime: 1, patience: 1, addresses: ['192.0.2.1'] });
  }

  override async ask(_: unknown, address?: string): Promise<Exchange> {
    if (address !== undefined) throw this.failure;
    return { sent: 'GET /_fake/health', isClosed: true };
  }
}

describe('the addresses the doctor tries', () => {
  it('are skipped if nothing listens', async () => {
    const finding = await beyondLoopback.run(new FailingElsewhere(new Unreachable('nobody')));
    expect(finding).to.include({ says: 'it answers on loopback, and not at 1 other addresses' });
  });

  it('report any other error', async () => {
    const failure = new TypeError('a bug');
    const came = await beyondLoopback.run(new FailingElsewhere(failure)).then(
      () => 'it went through',
      (error: unknown) => error,
    );
    expect(came).to.equal(failure);
  });
});
