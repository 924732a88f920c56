// The typed client for a server at a URL: its requests, its responses, and its errors without a server.
import { expect } from 'chai';
import { clientAt, startFake } from '../../../server/index.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { failure } from '../../support/worlds/failure.js';
import { useFake } from '../../support/worlds/use-fake.js';

describe('clientAt', () => {
  const fake = useFake(startFake);

  it('calls a server as a user, and reads its response', async () => {
    const box = fake.sandbox();
    const response = await clientAt(box.url, { user: 'admin', password: 'admin' }).ppf.push({
      body: { users: ['alice'], filters: [10500] },
    });
    expect(response.ok && response.body).to.deep.equal({ success: true, messages: [] });
    expect((await box.world()).favourites?.alice).to.deep.equal({ filters: [10500], dashboards: [] });
  });

  it('calls below a context path, with a slash at the end or without, and below another prefix', async () => {
    const box = fake.sandbox();
    for (const url of [`${fake.url}/wiki`, `${fake.url}/wiki/`])
      expect(
        (await clientAt(url, { token: 'admin-token' }).spaces.isUnique({ query: { spaceKey: 'x', spaceName: 'y' } }))
          .ok,
      ).to.equal(true);
    await clientAt(box.url, undefined, { wikiPrefix: '/cwxapiextension' }).spaces.isUnique({
      query: { spaceKey: 'x', spaceName: 'y' },
    });
    const [entry] = await box.journal();
    expect(entry?.url).to.equal(`/~${box.name}/cwxapiextension/latest/spaces/isUnique?spaceKey=x&spaceName=y`);
  });

  it('reports an invalid URL', () => {
    expect(() => clientAt('localhost:8080')).to.throw(TypeError, '"localhost:8080" is not a base URL: ');
  });

  it('reports a server that does not answer', async () => {
    const asking = clientAt('http://127.0.0.1:9').ppf.push({ body: { users: ['alice'], filters: [1] } });
    const error = await failure(asking, Unreachable);
    expect(error.message).to.equal(`http://127.0.0.1:9 does not respond: ${REFUSED}`);
  });
});
