// Lints the OpenAPI documents with an independent linter: the committed one, and one under readings that change its shape most.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { actions } from '../../../server/control/actions.js';
import { controlOpenapi } from '../../../server/control/control-openapi.js';
import { openapiOf } from '../../../server/derive/openapi/openapi.js';
import { asOpenapi30 } from '../../../server/derive/openapi/openapi-3-0.js';
import { restApiOpenapi } from '../../../server/derive/openapi/rest-api-openapi.js';
import { defaultReadings, layReadings } from '../../../server/operations/gaps/gaps.js';
import { useSharedScratch } from '../../support/files/scratch.js';
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

const committed = readFileSync(join(packageFolder, 'contracts', 'openapi.json'), 'utf8');
const { servers: _, ...withoutServers } = openapiOf();

describe('the OpenAPI document, to a linter', () => {
  const folder = useSharedScratch();
  const faultsOf = (document: object) => {
    folder.write('openapi.json', JSON.stringify(document));
    return faults(join(folder.path, 'openapi.json'));
  };

  for (const [what, document] of Object.entries({
    'as committed': JSON.parse(committed) as object,
    'for the REST APIs of Confluence and Jira': restApiOpenapi('0.0.0'),
    'under other readings': openapiOf(others),
    'for the control API': controlOpenapi(actions, '0.0.0'),
    'as OpenAPI 3.0': asOpenapi30(openapiOf()),
    'as OpenAPI 3.0 under other readings': asOpenapi30(openapiOf(others)),
    'as OpenAPI 3.0 for the control API': asOpenapi30(controlOpenapi(actions, '0.0.0')),
    'as OpenAPI 3.0 for the REST APIs of Confluence and Jira': asOpenapi30(restApiOpenapi('0.0.0')),
  }))
    it(`is valid ${what}`, () => {
      expect(faultsOf(document)).to.deep.equal([]);
    });

  it('has no empty list of required fields, which OpenAPI 3.0 does not allow', () => {
    for (const document of [openapiOf(), restApiOpenapi('0.0.0'), controlOpenapi(actions, '0.0.0')])
      expect(JSON.stringify(asOpenapi30(document))).not.to.contain('"required":[]');
  });

  it('is invalid with an error in it', () => {
    expect(faultsOf({ ...withoutServers, components: {} })).to.not.deep.equal([]);
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
