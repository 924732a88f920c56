// Jira's server information and sessions: /rest/api/2/serverInfo and /rest/auth/1/session.
import { callerName } from '../operation-context.js';
import { count, entity } from '../rest-api/entity.js';
import { forAll, type ResourceRequest, resource } from '../rest-api/resource.js';
import { array, described, integer, string } from '../schema.js';
import { forJiraUsers, JIRA_REFERENCE, jiraPaths, NOT_AUTHENTICATED } from './jira-entities.js';

/** The imitated version of Jira. Clients check it first. */
const VERSION = [9, 12, 0] as const;

const build = {
  buildNumber: 912000,
  buildDate: '2023-11-15T00:00:00.000+0000',
  scmInfo: 'cwx-fake',
};

/** Every session is the first of its user here. */
const loginInfo = entity('Earlier logins.', {
  loginCount: count('Always 1.'),
  failedLoginCount: count('Always 0.'),
});
const firstLogin = { loginCount: 1, failedLoginCount: 0 };

export const jiraServerInfo = resource({
  id: 'jira.server-info',
  family: 'jira',
  summary: 'Read what the server is',
  method: 'GET',
  path: '/serverInfo',
  access: forAll,
  refusals: [],
  replies: [
    {
      status: 200,
      when: 'The Jira version whose response format is used.',
      body: entity('A server.', {
        baseUrl: string('URL of the resource.'),
        version: string('The version.'),
        versionNumbers: array(integer('A part of the version.'), 'The parts of the version.'),
        deploymentType: string('Always Server, not Cloud.'),
        buildNumber: count('The number of the build.'),
        buildDate: string('The date of the build.'),
        scmInfo: string('The revision.'),
        serverTitle: string('cwx-fake'),
      }),
    },
  ],
  examples: [
    {
      title: 'A server',
      response: {
        status: 200,
        body: {
          baseUrl: 'http://127.0.0.1:8080',
          version: '9.12.0',
          versionNumbers: [9, 12, 0],
          deploymentType: 'Server',
          ...build,
          serverTitle: 'cwx-fake',
        },
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-serverinfo/`,
  absent: 'The time, health checks.',
  decide(given) {
    const body = {
      baseUrl: given.base,
      version: VERSION.join('.'),
      versionNumbers: VERSION,
      deploymentType: 'Server',
      ...build,
      serverTitle: 'cwx-fake',
    };
    return given.accept([], { status: 200, body });
  },
});

const SESSIONS = `${JIRA_REFERENCE}api-group-session/`;
const COOKIE = 'JSESSIONID';
const absent = 'Login times; every login is the first.';

/** `Secure` where clients use HTTPS, also if it ends at a proxy in front. */
function settingCookie({ base, cookiePath }: ResourceRequest, value: string, age = '') {
  const secure = base.startsWith('https:') ? '; Secure' : '';
  return { 'Set-Cookie': `${COOKIE}=${value}; Path=${cookiePath}${age}; HttpOnly${secure}` };
}

export const jiraSessionStart = resource({
  id: 'jira.session-start',
  family: 'jira-auth',
  summary: 'Log in and get a session cookie',
  method: 'POST',
  path: '/session',
  body: {
    schema: described<{ readonly username: string; readonly password: string }>({
      type: 'object',
      properties: { username: { type: 'string' }, password: { type: 'string' } },
      required: ['username', 'password'],
      description: 'A user and a password.',
    }),
  },
  access: forAll,
  refusals: ['rest-api-login-failed'],
  replies: [
    {
      status: 200,
      when: 'The cookie is accepted as credentials in this sandbox for a day.',
      body: entity('A session.', {
        session: entity('Its cookie.', { name: string('JSESSIONID'), value: string('The value.') }),
        loginInfo,
      }),
    },
  ],
  examples: [
    {
      title: 'A wrong password',
      body: { username: 'carol', password: 'wrong' },
      response: { status: 401, body: { errorMessages: ['Login failed'], errors: {} } },
    },
  ],
  source: SESSIONS,
  absent,
  decide(given) {
    const { username, password } = given.input.body;
    const user = given.world.users.get(username);
    const { sign, isProved = false } = given.request;
    const isRight = user !== undefined && (isProved || user.password === undefined || user.password === password);
    if (!isRight || sign === undefined) return given.refuse('rest-api-login-failed', 'Login failed');
    const value = sign(username);
    const body = { session: { name: COOKIE, value }, loginInfo: firstLogin };
    return given.accept([], { status: 200, body, headers: settingCookie(given.request, value) });
  },
});

export const jiraSession = resource({
  id: 'jira.session',
  family: 'jira-auth',
  summary: 'Read the user of the session',
  method: 'GET',
  path: '/session',
  access: forJiraUsers,
  refusals: [],
  replies: [
    {
      status: 200,
      when: 'The caller.',
      body: entity('The user of the session.', {
        self: string('URL of the user.'),
        name: string('The name.'),
        loginInfo,
      }),
    },
  ],
  examples: [
    {
      title: 'The user of a session',
      as: 'alice',
      response: {
        status: 200,
        body: {
          self: 'http://127.0.0.1:8080/rest/api/2/user?username=alice',
          name: 'alice',
          loginInfo: firstLogin,
        },
      },
    },
  ],
  source: SESSIONS,
  absent,
  decide(given) {
    const name = callerName(given.caller);
    return given.accept([], {
      status: 200,
      body: { self: `${given.base}${jiraPaths.user(name)}`, name, loginInfo: firstLogin },
    });
  },
});

export const jiraSessionEnd = resource({
  id: 'jira.session-end',
  family: 'jira-auth',
  summary: 'Log out',
  method: 'DELETE',
  path: '/session',
  access: forJiraUsers,
  refusals: [],
  replies: [{ status: 204, when: 'The response deletes the cookie. A client that keeps the cookie stays logged in.' }],
  examples: [
    {
      title: 'A request without credentials',
      response: {
        status: 401,
        body: {
          errorMessages: [NOT_AUTHENTICATED],
          errors: {},
        },
      },
    },
  ],
  source: SESSIONS,
  absent,
  decide(given) {
    return given.accept([], { status: 204, headers: settingCookie(given.request, '', '; Max-Age=0') });
  },
});
