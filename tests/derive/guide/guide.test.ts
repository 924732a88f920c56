// What the guide shows; that its commands work is proved with a shell in tests/http/control.

import { expect } from 'chai';
import { guide } from '../../../server/derive/guide/guide.js';
import { curl } from '../../../server/derive/sending/curl.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import { shownCommands } from './shell.js';

const page = guide();
const commands = shownCommands(page);

describe('the guide', () => {
  it('shows each example of each operation as a command with its response', () => {
    const examples = operations.reduce((sum, operation) => sum + operation.examples.length, 0);
    expect(commands.length).to.equal(page.match(/^Response /gm)?.length);
    expect(commands.length).to.be.greaterThan(examples);
    for (const operation of operations)
      for (const example of operation.examples)
        expect(page).to.include(curl(operation, example, 'http://127.0.0.1:8080'));
  });

  it('has every operation, its rules and its gaps', () => {
    for (const { id, method, path, rules } of operations) {
      expect(page).to.include(`### ${id}\n`);
      expect(page).to.match(new RegExp(`\`${method} /rest/\\S*${path.replace(/[{}]/g, '\\$&')}\``));
      for (const rule of Object.keys(rules)) expect(page).to.include(`- \`${rule}\`: `);
    }
    for (const gap of gapIds) expect(page).to.include(`| \`${gap}\` | `);
  });

  it('names the given address, and no other', () => {
    const elsewhere = guide({ root: 'https://fake.test:8443', sandbox: 'job-7' });
    expect(elsewhere).to.include('curl -X POST https://fake.test:8443/_fake/v1/sandboxes/job-7/reset\n');
    const inSandbox = page
      .replaceAll(/http:\/\/127\.0\.0\.1:8080(?=\/_fake|\/~|\S*isUnique\?spaceKey=MARS)/g, 'https://fake.test:8443')
      .replaceAll('http://127.0.0.1:8080', 'https://fake.test:8443/~job-7')
      .replace('sandboxes/default/reset', 'sandboxes/job-7/reset');
    expect(elsewhere).to.equal(inSandbox);
  });
});
