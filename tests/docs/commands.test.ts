// Every command and every output of the README and of the pages below docs/, run as it stands. `npm run update -- outputs` rewrites the
// outputs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { built, packageFolder } from '../support/processes/built.js';
import { endAll } from '../support/processes/commands.js';
import { blocks, commandsIn, lines, type Page, pages, withOutputs } from './markdown.js';
import { type Followed, follow } from './page-commands.js';

const isUpdate = process.env.UPDATE_DOCS === '1';

describe('the commands of the documentation', () => {
  before(() => built());
  after(() => endAll());

  for (const page of pages) if (commandsIn(page.text).length > 0) describe(page.path, () => runs(page));
});

function runs(page: Page): void {
  let followed: Followed;
  const outputs: string[] = [];
  before(async () => {
    followed = await follow(page);
  });
  after(async () => {
    await followed?.end();
    if (isUpdate) writeFileSync(join(packageFolder, page.path), withOutputs(page.text, outputs));
  });

  if (page.path === 'README.md')
    it('start with the two that do everything in a clone', () => {
      expect(blocks(page.text, 'sh').join('')).to.match(/^npm ci && npm start .*\nnpm ci && npm test /m);
      expect(followed.ready).to.match(/^cwx-fake listening on http:\/\/127\.0\.0\.1:\d+ \(scenario small-team\)$/);
    });

  for (const { command, output } of commandsIn(page.text)) {
    it(`$ ${command.slice(0, 100)}`, async () => {
      const printed = await followed.run(command);
      outputs.push(printed);
      expect(printed).not.to.include('The fake cannot be reached');
      if (/\| grep [^|]*$/.test(command)) expect(printed, 'what grep found').not.to.equal('');
      if (!isUpdate) expect(lines(printed)).to.equal(output);
    });
  }
}
