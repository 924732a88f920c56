// Environment variables: a flag wins over its variable, and variables that platforms inject are ignored.
import { expect } from 'chai';
import { type Command, readArguments } from '../../cli/command/command.js';
import { serve } from '../../cli/serve-command.js';
import { printedBy, run } from '../support/processes/commands.js';

const kubernetes = {
  CWX_FAKE_SERVICE_HOST: '10.96.0.9',
  CWX_FAKE_SERVICE_PORT: '8080',
  CWX_FAKE_SERVICE_PORT_HTTP: '8080',
  CWX_FAKE_PORT: 'tcp://10.96.0.9:8080',
  CWX_FAKE_PORT_8080_TCP: 'tcp://10.96.0.9:8080',
  CWX_FAKE_PORT_8080_TCP_PROTO: 'tcp',
  CWX_FAKE_PORT_8080_TCP_PORT: '8080',
  CWX_FAKE_PORT_8080_TCP_ADDR: '10.96.0.9',
  CWX_FAKE_CONTROL_SERVICE_HOST: '10.96.0.10',
  CWX_FAKE_CONTROL_PORT: 'tcp://10.96.0.10:8080',
  CWX_FAKE_CONTROL_PORT_8080_TCP: 'tcp://10.96.0.10:8080',
};
const docker = {
  CWX_FAKE_NAME: '/web/cwx-fake',
  CWX_FAKE_PORT: 'tcp://172.17.0.5:8080',
  CWX_FAKE_PORT_8080_TCP_ADDR: '172.17.0.5',
  CWX_FAKE_PORT_5353_UDP: 'udp://172.17.0.5:5353',
  CWX_FAKE_ENV_NODE_VERSION: '22.1.0',
};

const image = { CWX_FAKE_VERSION: '0.1.0' };

describe('environment variables', () => {
  const read = (args: readonly string[], env: Record<string, string>) => readArguments(serve as Command, args, env);

  for (const [platform, env] of Object.entries({ Kubernetes: kubernetes, Docker: docker, 'an image': image })) {
    it(`that ${platform} sets are ignored`, async () => {
      expect(read([], env)).to.deep.equal({ positionals: [], values: {} });
      expect(read(['--port', '9000'], env)).to.deep.equal({ positionals: [], values: { port: '9000' } });
      expect(await printedBy(run(['openapi'], { env }))).to.match(/^\{/);
    });
  }

  for (const [flag, value, variable, wrong] of [
    ['port', '9000', 'CWX_FAKE_PORT', 'x'],
    ['host', '127.0.0.1', 'CWX_FAKE_HOST', 'not a host'],
    ['store', 'memory', 'CWX_FAKE_STORE', 'nonsense'],
  ] as const) {
    it(`--${flag} wins over ${variable}, even if that is wrong`, () => {
      expect(read([`--${flag}`, value], { [variable]: wrong })).to.deep.equal({
        positionals: [],
        values: { [flag]: value },
      });
      expect(read([], { [variable]: wrong })).to.have.property('errors');
    });
  }
});
