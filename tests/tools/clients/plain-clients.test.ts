// Programs that send HTTP without knowing the products: wget, Ansible's uri module, and Java's HttpClient, which asks for h2c.
// The products send no challenge to a request without credentials, so these have to send them at once.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useSharedScratch } from '../../support/files/scratch.js';
import { hasProgram } from '../../support/processes/programs.js';
import { useServer } from '../../support/wire/server.js';

const PUSH = '/rest/cwx-ppf/latest/push';
const pushing = JSON.stringify({ users: ['alice'], filters: [10500] });
const WGET = ['-q', '-O-', '--auth-no-challenge', '--user=admin', '--password=admin'];
const JAVA = `
import java.net.URI;
import java.net.http.*;

class Asking {
    public static void main(String[] args) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String basic = "Basic " + java.util.Base64.getEncoder().encodeToString("admin:admin".getBytes());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(args[0])).header("Authorization", basic);
        if (args.length > 1)
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(args[1]));
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        System.out.print(response.statusCode() + " " + response.version() + " " + response.body());
    }
}`;

describe('programs that send plain HTTP', () => {
  const server = useServer();
  const folder = useSharedScratch({ 'Asking.java': JAVA });

  const output = async (program: string, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder.path });
    return stdout;
  };
  const uri = async (parameters: object): Promise<{ readonly status: number; readonly json: object }> => {
    const all = { url_username: 'admin', url_password: 'admin', force_basic_auth: true, ...parameters };
    const text = await output('ansible', 'localhost', '-m', 'uri', '-a', JSON.stringify(all));
    return JSON.parse(text.slice(text.indexOf('{')));
  };

  const programs: Readonly<
    Record<string, { from: string; reads(url: string): Promise<unknown>; pushes(url: string): Promise<unknown> }>
  > = {
    wget: {
      from: 'wget',
      reads: async url => JSON.parse(await output('wget', ...WGET, url)),
      pushes: async url =>
        JSON.parse(
          await output('wget', ...WGET, '--header=Content-Type: application/json', `--post-data=${pushing}`, url),
        ),
    },
    ansible: {
      from: 'ansible-core',
      reads: async url => (await uri({ url })).json,
      pushes: async url => (await uri({ url, method: 'POST', body_format: 'json', body: JSON.parse(pushing) })).json,
    },
    java: {
      from: 'default-jdk-headless',
      reads: async url => JSON.parse((await output('java', 'Asking.java', url)).replace(/^200 HTTP_1_1 /, '')),
      pushes: async url =>
        JSON.parse((await output('java', 'Asking.java', url, pushing)).replace(/^200 HTTP_1_1 /, '')),
    },
  };

  for (const [name, { from, reads, pushes }] of Object.entries(programs))
    it(`${name} reads who it is, by any context path, and pushes`, async function () {
      if (!hasProgram(name, from)) this.skip();
      expect(await reads(`${server.url}/~${name}/jira/rest/api/2/myself`)).to.include({ displayName: 'Ada Admin' });
      expect(await pushes(`${server.url}/~${name}${PUSH}`)).to.deep.equal({ success: true, messages: [] });
    });
});
