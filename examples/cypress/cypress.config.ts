// Starts the fake with Cypress. Specs run in the browser and reach it by tasks.
import { defineConfig } from 'cypress';
import { startFake } from 'cwx-fake';

export default defineConfig({
  port: 3000,
  e2e: {
    supportFile: false,
    specPattern: '*.cy.ts',
    async setupNodeEvents(on) {
      const fake = await startFake({ cors: ['http://localhost:3000'] }); // the app's own origin
      let sandbox = fake.sandbox();
      on('task', { sandbox: () => (sandbox = fake.sandbox()).url, world: () => sandbox.world() });
      on('after:run', () => fake.stop());
    },
  },
});
