// Lints the OpenAPI documents with an independent linter: the committed one, and one under readings that change its shape most.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { controlOpenapi } from '../../../server/control/control-openapi.js';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { asOpenapi30 } from '../../../server/derive/openapi/openapi-3-0.js';
import { restApiOpenapi } from '../../../server/derive/openapi/rest-api-openapi.js';
import { defaultReadings, layReadings } from '../../../server/operations/gaps/gaps.js';
import { packageFolder } from '../../support/processes/built.js';
import { installed } from '../installed.js';

const redocly = installed('@redocly/cli/bin/cli.js');

/** No update check and no telemetry: a build machine may have no network. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const others = layReadings(defaultReadings, {
  'wiki-success': 'no-content',
  'wiki-error-body': 'empty',
  'wiki-prefix': 'bare',
  'wiki-auth': 'admin',
  'context-path': '/wiki',
  'view-post': 'add',
  'missing-field': 'empty',
  'unknown-field': '400',
  'ppf-empty-arrays': 'present',
  'ppf-error-body': 'messages',
});

describe('the OpenAPI document, to a linter', function () {
  this.timeout(120_000);
  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is valid as committed', () => {
    expect(faults(join(packageFolder, 'contracts', 'openapi.json'))).to.deep.equal([]);
  });

  it("is valid for Confluence's and Jira's REST API", () => {
    const file = join(folder, 'rest-api-openapi.json');
    writeFileSync(file, JSON.stringify(restApiOpenapi('0.0.0')));
    expect(faults(file)).to.deep.equal([]);
  });

  it('is valid under other readings', () => {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(openapiOf(others)));
    expect(faults(file)).to.deep.equal([]);
  });

  it('is valid for the control API too', () => {
    const file = join(folder, 'control-openapi.json');
    writeFileSync(file, JSON.stringify(controlOpenapi(actions, '0.0.0')));
    expect(faults(file)).to.deep.equal([]);
  });

  it('is valid as OpenAPI 3.0, under all these readings', () => {
    const documents = { operations: openapiOf(), other: openapiOf(others), resources: restApiOpenapi('0.0.0') };
    for (const [name, document] of Object.entries(documents)) {
      const file = join(folder, `${name}-3-0.json`);
      writeFileSync(file, JSON.stringify(asOpenapi30(document)));
      expect(faults(file), name).to.deep.equal([]);
    }
  });

  it('is invalid with an error in it', () => {
    const file = join(folder, 'broken.json');
    const { servers: _, ...rest } = openapiOf();
    writeFileSync(file, JSON.stringify({ ...rest, components: {} }));
    expect(faults(file)).to.not.deep.equal([]);
  });
});

/** The linter's findings, by the names of its rules. */
function faults(file: string): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [redocly, 'lint', file, '--config', join(packageFolder, 'redocly.yaml'), '--format', 'json'],
    { cwd: packageFolder, encoding: 'utf8', env: { ...process.env, ...quiet } },
  );
  const found = /^\{.*\}/ms.exec(stdout)?.[0];
  if (found === undefined) throw new Error(`the linter did not report: ${stderr}`);
  const report = JSON.parse(found) as { problems: ReadonlyArray<{ ruleId: string; message: string }> }; // as the linter documents it
  return report.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
