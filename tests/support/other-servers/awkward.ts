// Servers that are correct, but not as simple as a fake: each is another target in front of one.
import type { FaultyServer } from '../../../harness/run/faulty-server.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Received, Target } from '../../../server/scenario/play/target.js';
import { serverWith, type simulatedTime } from './conforming.js';

type Passing = (request: HttpRequest, send: Target['send']) => Promise<Received>;

export function before(target: Target, pass: Passing): Target {
  const { url, context } = target;
  return { url, context, send: request => pass(request, one => target.send(one)), close: async () => {} };
}

export const refusal = (status: number, text = '', headers: Received['headers'] = {}): Received => ({
  status,
  headers,
  text,
});
export const isChange = ({ method }: HttpRequest): boolean => !['GET', 'HEAD'].includes(method);

export function stale(server: FaultyServer, time: ReturnType<typeof simulatedTime>, lag: number): Target {
  const past: Array<{ readonly at: number; readonly world: World }> = [
    { at: Number.NEGATIVE_INFINITY, world: server.world },
  ];
  return before(server, async (request, send) => {
    await time.sleep(10, undefined); // each request takes a while
    if (isChange(request)) {
      const response = await send(request);
      past.push({ at: time.now(), world: server.world });
      return response;
    }
    const now = server.world;
    server.world = past.findLast(({ at }) => at <= time.now() - lag)?.world ?? now;
    const response = await send(request);
    server.world = now;
    return response;
  });
}

export function limited(target: Target, time: ReturnType<typeof simulatedTime>, most: number): Target {
  let served: number[] = [];
  return before(target, async (request, send) => {
    await time.sleep(1, undefined);
    served = served.filter(at => at > time.now() - 1000);
    if (served.length >= most) return refusal(429, 'slow down', { 'retry-after': '1' });
    served.push(time.now());
    return send(request);
  });
}

export function repeatingPages(target: Target): Target {
  return before(target, async (request, send) => {
    const response = await send({ ...request, path: request.path.replace(/([?&]start(?:At)?)=\d+/, '$1=0') });
    if (!/\/member/.test(request.path) || response.status !== 200) return response;
    const body = JSON.parse(response.text);
    const links = { ...body._links, next: '/rest/api/group/customers/member?start=1' };
    return {
      ...response,
      text: JSON.stringify({ ...body, _links: links, ...('total' in body && { total: 1_000_000 }) }),
    };
  });
}

export function checkingHeader(target: Target, name: string, status: number, text: string, isMeant = isChange): Target {
  return before(target, async (request, send) => {
    const isThere = Object.keys(request.headers).some(one => one.toLowerCase() === name);
    return isMeant(request) && !isThere ? refusal(status, text) : send(request);
  });
}

/** Two servers at one address: push, pull and Jira's REST API go to a tracker with a world of its own. */
export function separate(change: (tracker: World) => World): Target {
  const [wiki, tracker] = [serverWith(), serverWith()];
  tracker.world = change(tracker.world);
  return before(wiki, (request, send) =>
    /\/cwx-ppf\/|\/rest\/api\/2\//i.test(request.path) ? tracker.send(request) : send(request),
  );
}
