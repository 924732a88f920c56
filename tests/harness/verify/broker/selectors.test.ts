// Consumer version selectors as people write them, in JSON or a short form, and the errors for others.

import { expect } from 'chai';
import { parseSelector } from '../../../../harness/verify/broker/selectors.js';

describe('a selector', () => {
  const right: ReadonlyArray<readonly [text: string, selector: object]> = [
    ['mainBranch', { mainBranch: true }],
    ['matchingBranch', { matchingBranch: true }],
    ['latest', { latest: true }],
    ['deployed', { deployed: true }],
    ['released', { released: true }],
    ['deployedOrReleased', { deployedOrReleased: true }],
    ['deployed=prod', { deployed: true, environment: 'prod' }],
    ['released=prod', { released: true, environment: 'prod' }],
    ['environment=prod', { environment: 'prod' }],
    ['branch=feat/x', { branch: 'feat/x' }],
    ['branch=a=b', { branch: 'a=b' }],
    ['branch', { branch: true }],
    ['tag=prod', { tag: 'prod' }],
    ['tag=true', { tag: 'true' }],
    ['tag=prod, latest, fallbackTag=main', { tag: 'prod', latest: true, fallbackTag: 'main' }],
    ['tag=prod,latest=false', { tag: 'prod', latest: false }],
    ['mainBranch=true', { mainBranch: true }],
    [' branch=x , consumer=web ', { branch: 'x', consumer: 'web' }],
    ['branch=x,fallbackBranch=main', { branch: 'x', fallbackBranch: 'main' }],
    ['{"mainBranch": true}', { mainBranch: true }],
    [
      '{"deployed": true, "environment": "prod", "consumer": "web"}',
      { deployed: true, environment: 'prod', consumer: 'web' },
    ],
    [' {"branch": true}', { branch: true }],
  ];
  for (const [text, selector] of right)
    it(`${text} is ${JSON.stringify(selector)}`, () => {
      expect(parseSelector(text)).to.deep.equal(selector);
    });

  const all =
    'consumer, mainBranch, matchingBranch, branch, fallbackBranch, fallbackToMainBranch, tag, fallbackTag, latest, deployed, released, deployedOrReleased, environment';
  const wrong: ReadonlyArray<readonly [text: string, problem: string]> = [
    ['', 'a key is missing before a comma or ='],
    ['mainBranch,', 'a key is missing before a comma or ='],
    ['mainbranch', `a selector has no key "mainbranch" (did you mean "mainBranch"?): expected ${all}`],
    ['main', `a selector has no key "main" (did you mean "mainBranch"?): expected ${all}`],
    ['{"deployd": true}', `a selector has no key "deployd" (did you mean "deployed"?): expected ${all}`],
    ['__proto__=x', `a selector has no key "__proto__": expected ${all}`],
    ['tag', 'tag must not be empty, but is ""'],
    ['branch=', 'branch must not be empty, but is ""'],
    ['{"tag": 1}', 'tag must be a string, not 1'],
    ['mainBranch=main', 'mainBranch must be true or false, not "main"'],
    ['{"branch": 1}', 'branch must be a string, true or false, not 1'],
    ['latest=no', 'latest must be true or false, not "no"'],
    ['tag=a,tag=b', 'tag is given twice'],
    ['deployed=prod,environment=test', 'environment is given twice'],
    ['consumer=web', 'this selects no version: add mainBranch, latest or another key, such as mainBranch,consumer=web'],
    ['{}', 'this selects no version: add mainBranch, latest or another key, such as mainBranch'],
    ['[{"mainBranch": true}]', 'this is a list of length 1: a selector is one object such as {"mainBranch": true}'],
    ['{mainBranch: true}', 'this is not valid JSON: write {"mainBranch": true}, or mainBranch'],
  ];
  for (const [text, problem] of wrong)
    it(`is reported if it is invalid: ${JSON.stringify(text)}`, () => {
      expect(parseSelector(text)).to.deep.equal({ problem });
    });
});
