// What a recorder makes of responses, refusals, lost connections and unexpected responses.
import { expect } from 'chai';
import { failure } from '../support/worlds/failure.js';
import type { Asked } from './checking/history.js';
import { Recorder } from './recorder.js';
import { NoResponse, NotAsked, Refused } from './replicas/replica.js';

const writing: Asked = { kind: 'write', cell: 'link ds/a', value: 'v1.' };
const failing = (error: Error) => async () => {
  throw error;
};

describe('the record of a run', () => {
  let recorder: Recorder;
  beforeEach(() => {
    recorder = new Recorder(new Map([['s', new Map([['link ds/a', '']])]]));
  });
  const operations = () => recorder.histories().flatMap(history => history.operations);

  it('has the beginning and end of each operation by one clock, even if they overlap', async () => {
    let finish = () => {};
    const slow = recorder.record('s', 'lane 1', writing, async () => {
      await new Promise<void>(resolve => {
        finish = resolve;
      });
      return { kind: 'done', entry: 2 } as const;
    });
    await recorder.record('s', 'lane 2', { kind: 'count' }, async () => ({ kind: 'number', number: 1 }) as const);
    finish();
    expect(await slow).to.deep.equal({ kind: 'done', entry: 2 });
    expect(operations().map(({ by, began, ended }) => [by, began, ended])).to.deep.equal([
      ['lane 2', 2, 3],
      ['lane 1', 1, 4],
    ]);
  });

  it('has no end for an unknown outcome, and no operation that was never sent', async () => {
    expect(await recorder.record('s', 'lane 1', writing, failing(new NoResponse('connection lost')))).to.equal(
      undefined,
    );
    await recorder.record('s', 'lane 1', { kind: 'look' }, failing(new NoResponse('connection lost')));
    await recorder.record('s', 'lane 1', writing, failing(new Refused('busy')));
    await failure(recorder.record('s', 'lane 1', writing, failing(new NotAsked('refused'))), NotAsked);
    expect(operations().map(({ ended, response }) => [ended, response])).to.deep.equal([
      [undefined, undefined],
      [undefined, undefined],
      [6, { kind: 'refused' }],
    ]);
    const { unknown, unread, refused, acknowledged } = recorder.figures();
    expect([...unknown]).to.deep.equal([['connection lost', 1]]);
    expect({ unread, refused, acknowledged }).to.deep.equal({ unread: 1, refused: 1, acknowledged: 0 });
    expect(recorder.odd).to.deep.equal([]);
  });

  it('has every unexpected response', async () => {
    await recorder.record('s', 'lane 1', writing, failing(new Error('the response has status 500')));
    expect(recorder.odd).to.deep.equal([
      '1 [lane 1: {"kind":"write","cell":"link ds/a","value":"v1."}]: Error: the response has status 500',
    ]);
  });
});
