// Starts the fake before the workers; their environment is a copy of this one.
const { startFake } = require('cwx-fake');

module.exports = async () => {
  globalThis.fake = await startFake();
  process.env.CWX_FAKE_URL = globalThis.fake.url;
};
