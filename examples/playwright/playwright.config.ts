// CHROMIUM: the path of an installed browser; by default Playwright's own.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  workers: 2,
  use: { launchOptions: { executablePath: process.env.CHROMIUM } },
});
