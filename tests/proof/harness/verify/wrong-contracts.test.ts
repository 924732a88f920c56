// Ten errors in a contract, and ten messages, each a sentence that says how to fix it.
import { expect } from 'chai';
import { wrongContracts } from '../../../harness/verify/wrong-contracts.js';
import { useSharedScratch } from '../../../support/files/scratch.js';
import { run } from '../../../support/processes/commands.js';

const open = (gap: string, asks: string) => `Open question (gap ${gap}): ${asks}`;
const ofSuccess = open('wiki-success', 'How does a wiki operation respond when it succeeds?');

/** By the error: exit codes without and with --strict, and the message; `plainly` if that is shorter without --strict. */
const expectations: Readonly<
  Record<string, readonly [plain: number, strict: number, sentence: string, plainly?: string]>
> = {
  'the method': [
    1,
    1,
    'Method: the contract has PUT; the document has POST on /groups/add-users. This breaks groups.add-users: The users become members of the group; existing members stay.',
  ],
  'the case of the path': [
    1,
    1,
    'Path: the contract has "/rest/cwxapiextension/latest/groups/Add-Users"; the document has "/rest/cwxapiextension/latest/groups/add-users". This breaks address.case-sensitive: All names are case-sensitive.',
  ],
  'a missing field': [
    1,
    1,
    `Request body at /users: the contract has no such field; the document has the field "users", but does not say whether it is optional. ${open('missing-list', 'Are the lists of users and groups of a wiki operation required?')}`,
  ],
  'an extra field in the request': [
    0,
    1,
    `Request body at /notify: the contract has the field "notify"; the document has the fields group, users. ${open('unknown-field', 'What happens to a field of a wiki operation that the document does not name?')}`,
  ],
  'a wrong type': [
    1,
    1,
    'Request body at /filters/0: the contract has "10500"; the document has a whole number. This breaks ppf.body-types: users and groups are lists of strings; filters and dashboards are lists of whole numbers.',
  ],
  'a wrong status': [
    1,
    1,
    'Status of the response: the contract has 201; the document has 200, 400, 403. This breaks ppf.processed-is-200: A processed request gets 200, with the fields success and messages.',
  ],
  'the name of a state': [1, 1, 'Unknown state "unlicenced" (did you mean "unlicensed"?).'],
  'the name of the provider': [2, 2, 'Unknown provider "wiki-extention" (did you mean "wiki-extension"?)'],
  'a body where the document has only a query': [
    0,
    1,
    'Request body: the contract has an object; the document has query parameters only. This breaks spaces.copy-query-only: Only the query parameters are read; a body is ignored.',
  ],
  'a body of the response that is not documented': [
    0,
    1,
    `Body of the response: the contract has an object; the document has no body there. ${ofSuccess}`,
    'it would fail under wiki-success=empty: Body: expected a body, but the response has none.',
  ],
};

describe('ten wrong contracts', () => {
  const said = new Map<string, string>();
  const folder = useSharedScratch();

  for (const [mistake, pact] of Object.entries(wrongContracts))
    it(`${mistake}: exits with the right code, and reports what is wrong`, async () => {
      folder.write('wrong.json', JSON.stringify(pact, null, 2));
      const verifying = (...flags: string[]) => run(['verify', 'wrong.json', ...flags], { cwd: folder.path });
      const [plain, strict] = await Promise.all([verifying(), verifying('--strict')]);
      const [code, strictCode, sentence, plainly = sentence] = expectations[mistake] ?? [
        -1,
        -1,
        'nothing is known of this mistake',
      ];
      expect(plain.stdout + plain.stderr).to.contain(plainly);
      expect(strict.stdout + strict.stderr).to.contain(sentence);
      const codes = { plain: plain.code, strict: strict.code };
      expect(codes, plain.stdout + strict.stdout).to.deep.equal({ plain: code, strict: strictCode });
      said.set(mistake, strict.stdout + strict.stderr);
    });

  it('get different messages: none appears for another error', () => {
    expect([...said.keys()]).to.have.members(Object.keys(expectations));
    for (const [mistake, [, , sentence]] of Object.entries(expectations))
      expect([...said].filter(([, text]) => text.includes(sentence)).map(([of]) => of)).to.deep.equal([mistake]);
  });
});
