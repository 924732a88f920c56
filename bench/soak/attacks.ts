// The attacks of the soak. Each is repeated, one of each kind at a time, until the ordinary requests are done.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server under attack. */
export interface Victim {
  readonly port: number;
  /** Statuses of responses, and their numbers. */
  readonly statuses: Map<number, number>;
}

const agent = new Agent({ keepAlive: true });
const CONTROL = '/_fake/v1/sandboxes';
const PUSH = '/rest/cwx-ppf/latest/push';
const admin = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const ADD = '/rest/cwxapiextension/latest/groups/add-users';

/** Resolves with the status; 0: the connection was closed. */
export function ask({ port, statuses }: Victim, { path, method = 'GET', body, headers = {} }: Asked): Promise<number> {
  return new Promise(resolve => {
    const done = (status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      resolve(status);
    };
    const type = { 'Content-Type': 'application/json' };
    const sending = request(
      { port, host: '127.0.0.1', agent, path, method, headers: { ...type, ...headers } },
      response => {
        const { statusCode = 0 } = response;
        response
          .once('error', () => done(0))
          .once('end', () => done(statusCode))
          .resume();
      },
    );
    sending.once('error', () => done(0)).end(body);
  });
}

/** Sends bytes over connections of their own and reads nothing, for a while. */
async function unread({ port }: Victim, count: number, bytes: string, ms = 2_000): Promise<void> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes)).on('error', () => {});
    socket.pause();
    sockets.push(socket);
  }
  await new Promise(resolve => setTimeout(resolve, ms));
  for (const socket of sockets) socket.destroy();
}

function together(count: number, one: (i: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, i) => one(i)));
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;
const chunks = '1\r\n \r\n'.repeat(200_000);
const manyUsers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`u${i}`, { displayName: 'x' }]));
/** Just few enough to be parsed. */
const manyValues = JSON.stringify({ group: 'customers', x: Array.from({ length: 90_000 }, (_, i) => `${i}`) });
const put = (victim: Victim, name: string, world: object) =>
  ask(victim, { path: `${CONTROL}/${name}/world`, method: 'PATCH', body: JSON.stringify(world) });

export const attacks: Readonly<Record<string, (victim: Victim) => Promise<unknown>>> = {
  'bodies in chunks of one byte': victim =>
    unread(victim, 16, post(ADD, `Transfer-Encoding: chunked\r\n\r\n${chunks}`)),
  'large pages, unread': async victim => {
    for (const i of [1, 2, 3]) {
      const page = { space: 'ds', title: `t${i}`, body: '\u0001'.repeat(150_000) };
      await put(victim, 'large-pages', { pages: { [String(900_000 + i)]: page } });
    }
    const path = '/~large-pages/rest/api/content?expand=body.storage,body.view&limit=200';
    await unread(victim, 24, get(path));
    await ask(victim, { path });
  },
  'log-ins': victim =>
    together(100, i =>
      ask(victim, {
        path: `/~in-${i % 15}/rest/auth/1/session`,
        method: 'POST',
        body: '{"username":"carol","password":"carol"}',
      }),
    ),
  'large worlds': victim => together(40, () => ask(victim, { path: `${CONTROL}/large/world` })),
  'unread worlds': victim => unread(victim, 300, get(`${CONTROL}/large/world`)),
  'unread recordings': async victim => {
    const body = JSON.stringify({ group: 'customers', x: 'x'.repeat(1_000_000) });
    for (let i = 0; i < 4; i += 1) await ask(victim, { path: `/~recorded${ADD}`, method: 'POST', body });
    await unread(victim, 40, get(`${CONTROL}/recorded/recording`));
  },
  'large patches': victim => together(16, i => put(victim, `patched-${i}`, { users: manyUsers(5_000) })),
  'patterns over a journal': victim =>
    together(16, () =>
      ask(victim, {
        path: `${CONTROL}/default/journal/verify`,
        method: 'POST',
        body: JSON.stringify({ body: { $contains: { group: { $match: '(a|b|ab)*c' } } } }),
      }),
    ),
  'large pushes': victim =>
    together(16, () =>
      ask(victim, {
        path: `/~large${PUSH}`,
        method: 'POST',
        headers: admin,
        body: JSON.stringify({ users: Object.keys(manyUsers(9_000)), filters: [1] }),
      }),
    ),
  'refused files': victim =>
    together(48, i =>
      ask(victim, {
        path: CONTROL,
        method: 'POST',
        body: JSON.stringify({ name: `file-${i}`, text: `users: [${'x, '.repeat(310_000)}]` }),
      }),
    ),
  recipes: victim =>
    together(8, i =>
      ask(victim, {
        path: CONTROL,
        method: 'POST',
        body: JSON.stringify({
          name: `recipe-${i}`,
          text: `generate: { users: ${[1_000_000, 250_000][i] ?? 20_000 + i} }\n`,
        }),
      }),
    ),
  'explanations of a large push': async victim => {
    await ask(victim, { path: CONTROL, method: 'POST', body: '{"name":"explained","scenario":"large"}' });
    const users = Object.keys(manyUsers(9_000));
    await ask(victim, {
      path: `/~explained${PUSH}`,
      method: 'POST',
      headers: admin,
      body: JSON.stringify({ users, filters: [1] }),
    });
    await together(16, () =>
      ask(victim, { path: `${CONTROL}/explained/explain`, method: 'POST', body: '{"entry":1}' }),
    );
  },
  'broken responses of another server': victim => together(20, i => ask(victim, { path: `/other/${i}` })),
  'many query parameters': victim =>
    together(50, i => ask(victim, { path: `/~q${i}${ADD}?${'a&'.repeat(3_700)}`, method: 'POST', body: '{}' })),
  'bodies of half their length': victim => unread(victim, 500, post(ADD, 'Content-Length: 900000\r\n\r\n{"a":"☃')),
  'nested bodies': victim =>
    together(40, () => ask(victim, { path: ADD, method: 'POST', body: `[${'[],'.repeat(49_000)}[]]` })),
  'bodies of many values': victim => together(40, () => ask(victim, { path: ADD, method: 'POST', body: manyValues })),
  'pages of other sites': victim =>
    together(50, i => ask(victim, { path: `/~evil-${i}/rest/api/space`, headers: { 'Sec-Fetch-Site': 'cross-site' } })),
  'many sandboxes': victim => together(50, () => ask(victim, { path: `/~s-${Math.random()}/rest/api/space` })),
  'readers of events': victim => unread(victim, 255, get(`${CONTROL}/default/events`)),
  'unknown readings': victim =>
    ask(victim, {
      path: `${CONTROL}/default/readings`,
      method: 'PUT',
      body: JSON.stringify(Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`r${i}`, '']))),
    }),
  'idle connections': victim => unread(victim, 1_000, ''),
};

export const ordinary: Asked = { path: ADD, method: 'POST', body: '{"group":"customers","users":["alice"]}' };
export const largeSandbox: Asked = {
  path: CONTROL,
  method: 'POST',
  body: '{"name":"large","scenario":"large"}',
};
