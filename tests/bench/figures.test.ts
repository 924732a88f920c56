// The arithmetic of the bench figures: medians, number formats, profiles by package. Measures no time.
import { expect } from 'chai';
import { groupOf } from '../../bench/harness/cpu-profile.js';
import { digits, mebibytes, median, percent, spread } from '../support/measuring/statistics.js';
import { markdown } from '../support/measuring/table.js';

const frame = (functionName: string, url: string) => ({ id: 1, callFrame: { functionName, url, lineNumber: 0 } });

describe('the figures of the bench', () => {
  it('take the median, or the mean of the middle two, and are formatted for readers', () => {
    expect([[9, 1, 5], [4, 1, 2, 9], []].map(median)).to.deep.equal([5, 3, Number.NaN]);
    expect([22_345, 44.123, 0.2718, Number.NaN].map(digits)).to.deep.equal(['22,300', '44.1', '0.272', '–']);
    expect([percent(0.795), mebibytes(3 * 2 ** 20), spread([3, 1, 2])]).to.deep.equal(['80 %', '3.0 MiB', '1 / 2 / 3']);
  });

  it('fit into a Markdown table', () => {
    const table = markdown({ title: 'T', note: 'N', columns: ['a', 'b'], rows: [['1', '2']] });
    expect(table).to.equal('### T\n\nN\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n');
  });
});

describe('a profile', () => {
  it('is summed up by package', () => {
    const groups = [
      frame('write', 'node:internal/streams/writable'),
      frame('get', 'file:///app/node_modules/immutable/dist/immutable.es.js'),
      frame('use', 'file:///app/node_modules/a/node_modules/@koa/router/dist/index.mjs'),
      frame('perform', 'file:///app/dist/modules/server/engine/request/stages/run-stages.js'),
      frame('start', 'file:///app/dist/modules/server/process/start.js'),
      frame('(garbage collector)', ''),
      frame('writev', ''),
    ].map(groupOf);
    expect(groups).to.deep.equal([
      'node streams',
      'immutable',
      '@koa/router',
      'cwx-fake engine',
      'cwx-fake process',
      '(garbage collector)',
      'native calls',
    ]);
  });
});
