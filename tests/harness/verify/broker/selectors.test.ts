// Consumer version selectors as people write them, in JSON or a short form, and the errors for others.

import { expect } from 'chai';
import { parseSelector } from '../../../../harness/verify/broker/selectors.js';

describe('a selector', () => {
  it('is read from its short form or JSON', () => {
    for (const [text, selector] of [
      ['mainBranch', { mainBranch: true }],
      ['mainBranch=true', { mainBranch: true }],
      ['matchingBranch', { matchingBranch: true }],
      ['latest', { latest: true }],
      ['deployedOrReleased', { deployedOrReleased: true }],
      ['deployed=prod', { deployed: true, environment: 'prod' }],
      ['released=prod', { released: true, environment: 'prod' }],
      ['environment=prod', { environment: 'prod' }],
      ['branch=a=b', { branch: 'a=b' }],
      ['branch', { branch: true }],
      ['tag=true', { tag: 'true' }],
      ['tag=prod, latest, fallbackTag=main', { tag: 'prod', latest: true, fallbackTag: 'main' }],
      ['tag=prod,latest=false', { tag: 'prod', latest: false }],
      [' branch=x , consumer=web ', { branch: 'x', consumer: 'web' }],
      ['branch=x,fallbackBranch=main', { branch: 'x', fallbackBranch: 'main' }],
      ['{"deployed": true, "environment": "prod"}', { deployed: true, environment: 'prod' }],
      [' {"branch": true}', { branch: true }],
    ] as const)
      expect(parseSelector(text), text).to.deep.equal(selector);
  });

  it('is reported if it is invalid', () => {
    for (const [text, part] of [
      ['', 'a key is missing'],
      ['mainBranch,', 'a key is missing'],
      ['mainbranch', 'no key "mainbranch" (did you mean "mainBranch"?): expected consumer, mainBranch'],
      ['{"deployd": true}', 'no key "deployd" (did you mean "deployed"?)'],
      ['__proto__=x', 'no key "__proto__"'],
      ['branch=', 'branch must not be empty'],
      ['{"tag": 1}', 'tag must be a string, not 1'],
      ['mainBranch=main', 'mainBranch must be true or false, not "main"'],
      ['{"branch": 1}', 'branch must be a string, true or false, not 1'],
      ['tag=a,tag=b', 'tag is given twice'],
      ['deployed=prod,environment=test', 'environment is given twice'],
      ['consumer=web', 'selects no version: add mainBranch, latest or another key, such as mainBranch,consumer=web'],
      ['{}', 'selects no version'],
      ['[{"mainBranch": true}]', 'a list of length 1'],
      ['{mainBranch: true}', 'not valid JSON'],
    ] as const)
      expect(parseSelector(text), text).to.have.property('problem').that.includes(part);
  });
});
