// A request whose response contradicts a rule is sent again.
import { expect } from 'chai';
import type { AnyOperationId } from '../../../../server/operations/catalog.js';
import type { Comparison } from '../../../../server/remote/conform/diagnosis/comparison.js';
import { variation } from '../../../../server/remote/conform/diagnosis/insistence.js';
import { type Target, Unreachable } from '../../../../server/scenario/play/target.js';

const path = '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=A&spaceName=A';

function blamed(operation: AnyOperationId): { readonly broken: ReadonlyMap<string, readonly Comparison[]> } {
  const step: Comparison = {
    file: 'a.yaml',
    family: 'wiki',
    operation,
    rules: [],
    gaps: [],
    due: 200,
    report: '',
    deviation: 'content',
    played: {
      index: 0,
      line: 1,
      step: { say: 'is it free', call: operation },
      outcome: 'failed',
      differences: [],
      unchecked: [],
      duration: 1,
      sent: { method: 'POST', path, headers: {} },
    },
  };
  return { broken: new Map([['spaces.is-unique', [step]]]) };
}

function answering(answer: (asked: number) => string): Target & { readonly asked: () => number } {
  let asked = 0;
  const send = async () => ({ status: 200, headers: {}, text: answer(asked++) });
  return { url: '', context: '', send, close: async () => {}, asked: () => asked };
}

describe('a request whose response contradicts a rule', () => {
  const diagnosis = (operation: AnyOperationId) => ({ ...blamed(operation), unexplained: [], cost: 6 });

  it('is no contradiction if its responses vary', async () => {
    const target = answering(asked => String(asked % 4 === 3));
    expect(await variation(diagnosis('spaces.is-unique'), target)).to.equal(
      `POST ${path} had 2 different answers when it was asked 8 times`,
    );
  });

  it('is a contradiction if its responses are the same', async () => {
    expect(
      await variation(
        diagnosis('spaces.is-unique'),
        answering(() => 'true'),
      ),
    ).to.equal(undefined);
  });

  it('is a contradiction if the server no longer answers', async () => {
    const target = { ...answering(() => ''), send: () => Promise.reject(new Unreachable('gone')) };
    expect(await variation(diagnosis('spaces.is-unique'), target)).to.equal(undefined);
  });

  it('is not sent again if it changes something', async () => {
    const target = answering(asked => String(asked));
    expect(await variation(diagnosis('groups.add-users'), target)).to.equal(undefined);
    expect(target.asked()).to.equal(0);
  });
});
