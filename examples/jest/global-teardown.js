// Stops the fake after the workers.
module.exports = () => globalThis.fake.stop();
