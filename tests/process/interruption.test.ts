// The signals that end a command: the first one politely, the second at once.
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { interruption } from '../../server/process/interruption.js';

function interruptible() {
  const signals = new EventEmitter();
  const codes: number[] = [];
  const exit = (code: number): never => {
    codes.push(code);
    return undefined as never;
  };
  const process = {
    on: (name: string, listener: (name: NodeJS.Signals) => void) => signals.on(name, listener),
    off: (name: string, listener: (name: NodeJS.Signals) => void) => signals.off(name, listener),
    exit,
  };
  return { signals, codes, process };
}

describe('interruption of a command', () => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    it(`lets the command end on ${name}, and ends the process on the next one`, async () => {
      const { signals, codes, process } = interruptible();
      const { signal, came } = interruption(process);
      signals.emit(name, name);
      expect(signal.reason).to.equal(name);
      expect(await came).to.equal(name);
      expect(codes).to.deep.equal([]);
      signals.emit('SIGINT', 'SIGINT');
      expect(codes).to.deep.equal([130]);
    });

  it('leaves no listener behind', () => {
    const { signals, process } = interruptible();
    interruption(process).release();
    expect(signals.eventNames()).to.deep.equal([]);
  });
});
