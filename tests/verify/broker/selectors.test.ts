// Consumer version selectors as people write them: JSON or a short form, and what is wrong with others.

import { expect } from 'chai';
import { parseSelector } from '../../../server/verify/broker/selectors.js';

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
    it(`is ${JSON.stringify(selector)}, written ${text}`, () => {
      expect(parseSelector(text)).to.deep.equal(selector);
    });

  const all =
    'consumer, mainBranch, matchingBranch, branch, fallbackBranch, fallbackToMainBranch, tag, fallbackTag, latest, deployed, released, deployedOrReleased, environment';
  const wrong: ReadonlyArray<readonly [text: string, problem: string]> = [
    ['', 'there is nothing before a comma or ='],
    ['mainBranch,', 'there is nothing before a comma or ='],
    ['mainbranch', `there is no "mainbranch" in a selector (did you mean "mainBranch"?): it takes ${all}`],
    ['main', `there is no "main" in a selector: it takes ${all}`],
    ['{"deployd": true}', `there is no "deployd" in a selector (did you mean "deployed"?): it takes ${all}`],
    ['__proto__=x', `there is no "__proto__" in a selector: it takes ${all}`],
    ['tag', 'tag is empty: it takes a name: tag=…'],
    ['branch=', 'branch is empty: it takes a name: branch=…, or stands alone: branch'],
    ['{"tag": 1}', 'tag is the number 1: it takes a name: tag=…'],
    ['mainBranch=main', 'mainBranch is the text "main": it stands alone: mainBranch'],
    ['{"mainBranch": false}', 'mainBranch is false: it stands alone: mainBranch'],
    ['latest=no', 'latest is the text "no": it takes true or false'],
    ['tag=a,tag=b', 'tag is given twice'],
    ['deployed=prod,environment=test', 'environment is given twice'],
    [
      'consumer=web',
      'this chooses no version: it takes mainBranch, latest or another too, such as mainBranch,consumer=web',
    ],
    ['{}', 'this chooses no version: it takes mainBranch, latest or another too, such as mainBranch'],
    ['[{"mainBranch": true}]', 'this is a list of 1: a selector is one object such as {"mainBranch": true}'],
    ['{mainBranch: true}', 'this begins like JSON and is none: write {"mainBranch": true}, or mainBranch'],
  ];
  for (const [text, problem] of wrong)
    it(`is told what is wrong with it: ${JSON.stringify(text)}`, () => {
      expect(parseSelector(text)).to.deep.equal({ problem });
    });
});
