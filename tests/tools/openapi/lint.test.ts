// Lints the OpenAPI documents with an independent linter: the committed one, and one under readings that change its shape most.
import { spawnSync } from 'node:child_process';
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

const documents: Readonly<Record<string, object>> = {
  'rest-api': restApiOpenapi('0.0.0'),
  others: openapiOf(others),
  control: controlOpenapi(actions, '0.0.0'),
  '3.0': asOpenapi30(openapiOf()),
  '3.0-others': asOpenapi30(openapiOf(others)),
  '3.0-control': asOpenapi30(controlOpenapi(actions, '0.0.0')),
  '3.0-rest-api': asOpenapi30(restApiOpenapi('0.0.0')),
};

describe('the OpenAPI documents, to a linter', () => {
  const folder = useSharedScratch();

  it('are valid, as committed, for each API, in each version and under other readings', () => {
    for (const [name, document] of Object.entries(documents)) folder.write(`${name}.json`, JSON.stringify(document));
    const files = Object.keys(documents).map(name => join(folder.path, `${name}.json`));
    expect(faults(join(packageFolder, 'contracts/openapi.json'), ...files)).to.deep.equal([]);
  });

  it('have no empty list of required fields, which OpenAPI 3.0 does not allow', () => {
    for (const [name, document] of Object.entries(documents).filter(([name]) => name.startsWith('3.0')))
      expect(JSON.stringify(document), name).not.to.contain('"required":[]');
  });

  it('are invalid with an error in one', () => {
    folder.write('wrong.json', JSON.stringify({ ...openapiOf(), components: {} }));
    expect(faults(join(folder.path, 'wrong.json'))).to.not.deep.equal([]);
  });
});

function faults(...files: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [redocly, 'lint', ...files, '--config', join(packageFolder, 'redocly.yaml'), '--format', 'json'],
    { cwd: packageFolder, encoding: 'utf8', env: { ...process.env, ...quiet } },
  );
  const reports = stdout.split(/^\}/m).slice(0, -1); // one for each file
  if (reports.length !== files.length) throw new Error(`the linter did not report: ${stderr}`);
  return reports.flatMap(report => {
    const { problems } = JSON.parse(`${report}}`) as { problems: ReadonlyArray<{ ruleId: string; message: string }> }; // as the linter documents it
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  });
}
