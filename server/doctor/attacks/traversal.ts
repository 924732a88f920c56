// Attacks with paths that lead out of folders (path traversal).
import type { Attack } from '../attack.js';
import type { AttackRequest } from '../instance.js';
import type { Trial } from '../trial.js';

const OUTSIDE = [
  '../package',
  '../../package.json',
  'rules/../../package',
  '..\\..\\package.json',
  '....//....//package',
  '/etc/passwd',
  '../../../../../../../../etc/passwd',
  'file:///etc/passwd',
  'small-team\0.yaml',
];
/** Contents of the requested files, which no answer of a fake contains. */
const CONTENT = /root:[^:]*:0:|"(?:dev)?[dD]ependencies"/;

export const pathTraversal: Attack = {
  name: 'path-traversal',
  defends: 'No name leads to a file outside of the folders of scenarios.',
  tries: 'Scenarios, sandboxes and paths are named so that they lead upwards, plainly and encoded.',
  remedy: 'Report it as a bug, and start it with --control off meanwhile.',
  needsSandbox: true,
  run: async instance => {
    const made = `${instance.parts.sandbox}-t`;
    const trials: Trial[] = [];
    const attempt = async (asked: AttackRequest, isRefusal: boolean) => {
      const exchange = await instance.ask({
        ...asked,
        headers: [...(asked.headers ?? []), ...instance.credentialsFor(asked.path)],
      });
      const trial = instance.trial(exchange, ({ status, text }) => CONTENT.test(text) || (isRefusal && status < 400));
      trials.push(trial);
      return exchange.answer?.status ?? 0;
    };
    for (const scenario of OUTSIDE) {
      const status = await attempt(
        { method: 'POST', path: '/_fake/v1/sandboxes', json: { name: made, scenario } },
        true,
      );
      if (status < 400) await instance.control('DELETE', `/_fake/v1/sandboxes/${made}`);
      await attempt({ method: 'POST', path: instance.ownControl('/play'), json: { scenario } }, true);
      await attempt({ path: instance.ownControl(`/../${encodeURIComponent(scenario)}`) }, false);
      await attempt({ path: instance.own(`/${encodeURIComponent(scenario)}`) }, false);
    }
    const paths = [
      '/../../../../etc/passwd',
      '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fpackage.json',
      '//etc/passwd',
    ];
    for (const path of paths) await attempt({ path: instance.own(path) }, false);
    const name = '..%2f..%2fetc%2fpasswd';
    await attempt({ method: 'PUT', path: `/_fake/v1/sandboxes/${name}`, json: {} }, true);
    await attempt(
      { method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: [['X-Fake-Sandbox', '../../etc/passwd']] },
      true,
    );
    return { trials };
  },
};
