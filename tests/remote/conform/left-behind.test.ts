// What a broken operation leaves behind breaks steps about other rules: none of these is blamed.
import { expect } from 'chai';
import { at, parameter } from '../../../bench/conform/faults.js';
import { type Change, proxied } from '../../../bench/conform/proxied-server.js';
import { pagesOf, removePage } from '../../../server/domain/pages.js';
import { conformed, type Prepared, prepared, rulesThat } from '../../support/other-servers/conforming.js';

const moving: Change = {
  world: (asked, after, before) => {
    const source = parameter('sourceSpaceKey', asked) ?? '';
    const isCopied = at('spaces/copySpace')(asked) && after.spaces.size > before.spaces.size;
    return isCopied ? pagesOf(before, source).reduce((world, [id]) => removePage(world, id), after) : undefined;
  },
};
const hasContext = ({ path }: { readonly path: string }) => /^\/[^/]+\/rest\/cwxapiextension\//.test(path);

describe('a server', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  async function contradicted(change: Change): Promise<string[]> {
    const { target, end } = await proxied(change, {});
    try {
      return rulesThat('contradicts', await conformed(target, plan));
    } finally {
      end();
    }
  }

  it('that moves the pages of a space where it should copy them contradicts the copy alone', async () => {
    expect(await contradicted(moving)).to.deep.equal(['spaces.copy']);
  });

  it('that serves no groups below a context path contradicts the context path alone', async () => {
    const isMeant = (asked: { readonly path: string; readonly place: string }) =>
      asked.place.startsWith('groups/') && hasContext(asked);
    const change: Change = { answer: (_, asked) => (isMeant(asked) ? { status: 404, text: '', headers: {} } : {}) };
    expect(await contradicted(change)).to.deep.equal(['address.context-path']);
  });
});
