// What a user would take in place of cwx-fake, each made to answer the same POST as nearly as it can. Every log of requests is off that can be.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What they are to answer: POST with a JSON body, of which they look at the group, with 200 and an empty object. */
export interface Asked {
  readonly paths: readonly string[];
  readonly group: string;
  /** The OpenAPI document of the same. */
  readonly openapi: string;
  /** Where they find what they are told. */
  readonly folder: string;
}

export interface MockServer {
  readonly name: string;
  /** In `packages/package.json`. */
  readonly package: string;
  /** Another program that it needs. */
  readonly needs?: string;
  /** Requests that it answers before it is measured, if more than others. */
  readonly warmUp?: number;
  /** `aside`: a second port, for one that has its control API elsewhere. */
  command(port: number, asked: Asked, aside: number): readonly string[];
}

/** The folder of their packages, which `npm run bench:peers` installs. */
export const packages = join('bench', 'peers', 'packages');

const JVM_WARM_UP = 50_000;
const JAR = 'wiremock/build/wiremock-standalone-3.13.2.jar';
const host = '127.0.0.1';
const json = { 'Content-Type': 'application/json' };

const wireMock = (name: string, flags: readonly string[]): MockServer => ({
  name,
  package: 'wiremock',
  needs: 'java',
  command: (port, asked) => {
    for (const [i, path] of asked.paths.entries())
      write(asked, `wiremock/mappings/${i}.json`, wireMockStub(path, asked));
    const root = join(asked.folder, 'wiremock');
    const where = ['--bind-address', host, '--port', String(port), '--root-dir', root];
    return ['java', '-jar', installed(JAR), ...where, '--disable-banner', '--disable-request-logging', ...flags];
  },
});

export const mockServers: Readonly<Record<string, MockServer>> = {
  wiremock: { ...wireMock('WireMock, with its journal', []), warmUp: JVM_WARM_UP },
  wiremockAsOthers: wireMock('WireMock, with its journal, warmed like the others', []),
  wiremockWithoutJournal: {
    ...wireMock('WireMock, `--no-request-journal`', ['--no-request-journal']),
    warmUp: JVM_WARM_UP,
  },
  prism: {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    command: (port, { openapi }) => [
      ...node('@stoplight/prism-cli/dist/index.js', 'mock', openapi),
      ...['--host', host, '--port', String(port), '--verboseLevel', 'silent'],
    ],
  },
  mockoon: {
    name: 'Mockoon',
    package: '@mockoon/cli',
    command: (port, asked) => [
      ...node('@mockoon/cli/bin/run.js', 'start', '--data', write(asked, 'mockoon.json', mockoonEnvironment(asked))),
      ...['--hostname', host, '--port', String(port)],
      ...['--disable-log-to-file', '--disable-admin-api', '--disable-external-refs'],
    ],
  },
  jsonServer: {
    name: 'json-server',
    package: 'json-server',
    command: (port, asked) => {
      const routes = asked.paths.map((path, i) => [path, `/record${i}`]);
      const records = JSON.stringify(Object.fromEntries(asked.paths.map((_, i) => [`record${i}`, {}])));
      const data = writeText(asked, 'records.js', `module.exports = () => (${records});\n`); // kept in memory, as a .json would not be
      const where = ['--host', host, '--port', String(port), '--quiet'];
      return [
        ...node(
          'json-server/lib/cli/bin.js',
          data,
          '--routes',
          write(asked, 'routes.json', Object.fromEntries(routes)),
        ),
        ...where,
      ];
    },
  },
  mountebank: {
    name: 'mountebank',
    package: 'mountebank',
    command: (port, asked, aside) => [
      ...node('mountebank/bin/mb', 'start', '--configfile', write(asked, 'mountebank.json', imposters(port, asked))),
      ...['--host', host, '--port', String(aside), '--localOnly', '--noParse', '--nologfile', '--loglevel', 'warn'],
      ...['--pidfile', join(asked.folder, 'mountebank.pid')],
    ],
  },
};

/** Its version here, or why it cannot be measured. `has`: whether there is such a program on PATH. */
export function versionOf(
  { package: name, needs }: MockServer,
  has: (program: string) => boolean,
  folder = packages,
): { readonly version: string } | { readonly problem: string } {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return { problem: `${name} is not installed: npm run bench:peers` };
  if (needs !== undefined && !has(needs)) return { problem: `there is no ${needs} on PATH` };
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }; // npm has installed none without
  return { version };
}

function wireMockStub(urlPath: string, { group }: Asked): object {
  const bodyPatterns = [{ matchesJsonPath: { expression: '$.group', equalTo: group } }];
  return { request: { method: 'POST', urlPath, bodyPatterns }, response: { status: 200, headers: json, body: '{}' } };
}

function mockoonEnvironment({ paths, group }: Asked): object {
  const isOfGroup = { target: 'body', modifier: 'group', value: group, invert: false, operator: 'equals' };
  const headers = Object.entries(json).map(([key, value]) => ({ key, value }));
  const routes = paths.map((path, i) => ({
    ...{ uuid: `route-${i}`, type: 'http', method: 'post', endpoint: path.slice(1) },
    responses: [
      { uuid: `right-${i}`, statusCode: 200, headers, body: '{}', rules: [isOfGroup], default: false },
      { uuid: `wrong-${i}`, statusCode: 404, headers, body: '{}', default: true },
    ],
  }));
  const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }));
  return { uuid: 'bench', lastMigration: 33, name: 'bench', port: 3000, hostname: host, rootChildren, routes };
}

function imposters(port: number, { paths, group }: Asked): object {
  const is = { statusCode: 200, headers: { ...json, Connection: 'keep-alive' }, body: '{}' }; // by default it closes each connection
  const stubs = paths.map(path => ({
    predicates: [{ equals: { method: 'POST', path } }, { equals: { body: group }, jsonpath: { selector: '$.group' } }],
    responses: [{ is }],
  }));
  return { imposters: [{ port, host, protocol: 'http', defaultResponse: { statusCode: 404 }, stubs }] };
}

function node(script: string, ...args: readonly string[]): string[] {
  return [process.execPath, installed(script), ...args];
}

function installed(path: string): string {
  return join(packages, 'node_modules', path);
}

function write(asked: Asked, name: string, content: object): string {
  return writeText(asked, name, JSON.stringify(content));
}

function writeText({ folder }: Asked, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}
