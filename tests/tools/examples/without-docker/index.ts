// Stands in for Testcontainers where no Docker runs: a container is the image's command as a process of this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export const Wait = { forHealthCheck: () => 'healthy' };

export class GenericContainer {
  private environment: Readonly<Record<string, string>> = {};

  static fromDockerfile() {
    return { build: async () => new GenericContainer() };
  }

  withEnvironment(environment: Readonly<Record<string, string>>): this {
    this.environment = environment;
    return this;
  }

  withExposedPorts(port: number): this {
    if (port !== 8080) throw new Error(`the image exposes 8080, not ${port}`);
    return this;
  }

  withWaitStrategy(strategy: string): this {
    if (strategy !== 'healthy') throw new Error('the image has a health check: wait for it');
    return this;
  }

  async start() {
    const env = { ...process.env, ...this.environment };
    const child = spawn('cwx-fake', ['serve', '--host', '0.0.0.0', '--port', '0'], { env });
    const [line] = await once(child.stdout, 'data');
    const port = Number(/:(\d+) /.exec(String(line))?.[1]);
    return {
      getHost: () => 'localhost',
      getMappedPort: () => port,
      stop: async () => {
        child.kill();
        await once(child, 'exit');
      },
    };
  }
}
