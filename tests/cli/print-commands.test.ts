// `cwx-fake ledger|guide|openapi|schema`: each prints one whole document on standard output, and nothing else.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { restApiOpenapi } from '../../server/derive/openapi/rest-api-openapi.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { gapIds } from '../../server/operations/gaps/gaps.js';
import { packageVersion } from '../../server/process/package.js';
import { scratch } from '../support/files/scratch.js';
import { built, cli, packageFolder } from '../support/processes/built.js';
import { printedBy, refusalOf, run } from '../support/processes/commands.js';

describe('the documents of cwx-fake', () => {
  before(built);

  const printed = async (...args: string[]) => {
    const stdout = await printedBy(run(args));
    expect(stdout).to.match(/[^\n]\n$/);
    return stdout;
  };
  const shipped = (path: string) => readFileSync(join(packageFolder, path), 'utf8');
  const ids = operations.map(({ id }) => id);

  it('ledger: every rule and gap, as text and as JSON', async () => {
    const text = await printed('ledger');
    const { rules, gaps } = JSON.parse(await printed('ledger', '--json'));
    expect(rules.map(({ id }: { id: string }) => id)).to.include.members([
      'ppf.needs-recipient',
      'address.json-bodies',
    ]);
    expect(gaps.map(({ id }: { id: string }) => id)).to.have.members([...gapIds]);
    for (const { id } of [...rules, ...gaps]) expect(text).to.contain(id);
    expect(text).to.contain('evidence: rules/groups.add-users');
  });

  it('guide: Markdown with every operation', async () => {
    const text = await printed('guide');
    expect(text).to.match(/^# /);
    const rows = text.split('\n').filter(line => line.startsWith('| '));
    expect(rows.slice(2, 2 + ids.length).map(line => line.split(' | ')[0]?.slice(2))).to.deep.equal(ids);
    expect(JSON.parse(await printed('guide', '--json'))).to.deep.equal({ guide: text });
  });

  it('ledger <refusal>: its status, its meaning and what it rests on', async () => {
    expect(await printed('ledger', 'body-not-json')).to.contain('400: The body is not JSON (address.json-bodies)');
    expect(JSON.parse(await printed('ledger', 'body-shape', '--json'))).to.include({ code: 'body-shape', status: 400 });
  });

  it('ledger <rule or gap>: one of them, with its statements, its operations and its refusals', async () => {
    const gap = await printed('ledger', 'unknown-space');
    expect(gap.split('\n').map(line => line.trim())).to.include.members([
      '* 404: the request is refused with 404',
      'operations: spaces.add-sidebar-link, spaces.copy, spaces.replace-in-page',
      'refusals: unknown-space',
    ]);
    expect(gap).to.match(/document .*4\.4-1, .* \(/);
    expect(gap).not.to.contain('unknown-page');
    expect(await printed('ledger', 'ppf.needs-item')).to.contain('document 4.5-5 (4.5, rule 2)');
    const rule = JSON.parse(await printed('ledger', 'ppf.needs-item', '--json'));
    expect(rule).to.deep.include({ id: 'ppf.needs-item', statements: ['4.5-5'] });
    expect(await refusalOf(run(['ledger', 'unknown-spaec']))).to.equal(
      'unknown rule, gap or refusal "unknown-spaec" (did you mean "unknown-space"?)\n',
    );
  });

  it('guide <operation>: only that part', async () => {
    const part = await printed('guide', 'ppf.push');
    expect(part).to.match(/^### ppf\.push\n/);
    expect(await printed('guide')).to.contain(part.slice(0, part.indexOf('Gaps:')));
    expect(part).to.contain('| `ppf-error-body` | ').and.not.to.contain('### ppf.pull');
    expect(await refusalOf(run(['guide', 'ppf.psuh']))).to.equal(
      'unknown operation "ppf.psuh" (did you mean "ppf.push"?)\n',
    );
  });

  it('openapi: OpenAPI 3.1 with every operation, equal to the shipped file', async () => {
    const text = await printed('openapi');
    const document = JSON.parse(text);
    expect(document.openapi).to.match(/^3\.1\./);
    for (const id of ids) expect(text).to.contain(`"operationId": "${id}"`);
    expect(document).to.deep.equal(JSON.parse(shipped('contracts/openapi.json')));
    const ofRestApi = await printed('openapi', '--rest-api');
    expect(JSON.parse(ofRestApi)).to.deep.equal(restApiOpenapi(packageVersion()));
    expect(ofRestApi).to.contain('/rest/api/space/{key}');
  });

  it('openapi --openapi-version 3.0: the same paths in the older version', async () => {
    const older = JSON.parse(await printed('openapi', '--openapi-version', '3.0', '--rest-api'));
    expect(older.openapi).to.equal('3.0.3');
    expect(Object.keys(older.paths)).to.deep.equal(Object.keys(restApiOpenapi(packageVersion()).paths as object));
    expect(await refusalOf(run(['openapi', '--openapi-version', '2.0']))).to.include(
      'cwx-fake openapi: --openapi-version cannot be "2.0": it must be 3.0 or 3.1\n',
    );
  });

  it('openapi --reading: the document of a server with these readings', async () => {
    const place = scratch({ 'chosen.yaml': 'wiki-success: no-content\nwiki-prefix: bare\n' });
    after(() => place.drop());
    const chosen = join(place.path, 'chosen.yaml');
    const text = await printed('openapi', '--readings', chosen, '--reading', 'wiki-prefix=rest');
    const { paths, 'x-readings': readings } = JSON.parse(text);
    expect(readings).to.include({ 'wiki-success': 'no-content', 'wiki-prefix': 'rest', 'view-post': 'reject' });
    const { responses } = paths['/rest/cwxapiextension/latest/groups/add-users'].post;
    expect(responses).to.include.keys('204').and.not.include.keys('200');
    const strict = JSON.parse(await printed('openapi', '--profile', 'strict', '--reading', 'content-type=lenient'));
    expect(strict['x-readings']).to.include({ 'unknown-field': '400', 'content-type': 'lenient' });
  });

  it('openapi: shows its usage', async () => {
    const refused = (...args: string[]) => refusalOf(run(['openapi', ...args]));
    expect(await refused('--reading', 'wiki-sucess=empty')).to.contain('"wiki-success"');
    expect(await refused('--profile', 'strikt')).to.contain('strict');
    expect(await refused('--readings', 'nowhere.yaml')).to.contain('nowhere.yaml');
    expect(await refused('--rest-api', '--reading', 'wiki-success=empty')).to.contain('cannot be combined');
  });

  for (const format of ['fixture', 'scenario', 'map']) {
    it(`schema ${format}: a JSON Schema, equal to the shipped file`, async () => {
      const schema = JSON.parse(await printed('schema', format)) as { $schema: string };
      expect(schema.$schema).to.equal('https://json-schema.org/draft/2020-12/schema');
      expect(schema).to.deep.equal(JSON.parse(shipped(`dist/contracts/schemas/${format}.schema.json`)));
    });
  }

  it('schema without a format: lists the formats', async () => {
    const refused = (...args: string[]) => refusalOf(run(['schema', ...args]));
    expect(await refused('nonsense')).to.match(/^unknown format "nonsense": expected fixture.*scenario/);
    expect(await refused('fixtures')).to.contain('did you mean "fixture"?');
    expect(await refused('constructor')).to.contain('unknown format');
    expect(await refused()).to.contain('missing arguments: <format>');
  });

  it('exit quietly when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [cli, 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', text => {
      said += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    expect({ code, said }).to.deep.equal({ code: 0, said: '' });
  });
});
