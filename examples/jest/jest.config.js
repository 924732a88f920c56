// One fake for all workers.
module.exports = { globalSetup: './global-setup.js', globalTeardown: './global-teardown.js' };
