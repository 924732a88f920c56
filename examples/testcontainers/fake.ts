// The image built from the Dockerfile of cwx-fake, as a container for the tests of this process.
import { connectFake } from 'cwx-fake';
import { GenericContainer, Wait } from 'testcontainers';

const token = crypto.randomUUID();
const image = await GenericContainer.fromDockerfile(process.env.CWX_FAKE_CHECKOUT ?? '../..').build();
export const container = await image
  .withEnvironment({ CWX_FAKE_CONTROL_TOKEN: token })
  .withExposedPorts(8080)
  .withWaitStrategy(Wait.forHealthCheck())
  .start();
export const fake = await connectFake(`http://${container.getHost()}:${container.getMappedPort(8080)}`, { token });
