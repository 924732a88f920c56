// Slots as Redis Cluster documents and computes them.
import { expect } from 'chai';
import { slotOf } from '../../../../server/store/redis/connection/key-names.js';

describe('the slot of a key', () => {
  it('is the one that Redis computes', () => {
    expect(slotOf('123456789')).to.equal(0x31c3); // the check value of CRC16/XMODEM
    expect(slotOf('foo')).to.equal(12182);
    expect(slotOf('bar')).to.equal(5061);
    expect(slotOf('')).to.equal(0);
  });
});
