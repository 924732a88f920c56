// CommonJS: the package has both module systems.
const { connectFake } = require('cwx-fake');
const { addLink } = require('./sidebar');

let fake;
beforeAll(async () => {
  fake = await connectFake();
});
afterAll(() => fake.stop());

test('a link is added to the sidebar', async () => {
  const sandbox = fake.sandbox();
  await addLink(sandbox.url, 'ds', 'Handbook', 'https://example.com');
  const { spaces } = await sandbox.world();
  expect(spaces.ds.sidebar).toEqual([{ label: 'Handbook', url: 'https://example.com' }]);
});

test('an unknown space is an error', async () => {
  await expect(addLink(fake.sandbox().url, 'nowhere', 'Handbook', 'https://example.com')).rejects.toThrow('nowhere: 404');
});
