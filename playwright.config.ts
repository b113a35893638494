import { defineConfig, devices } from '@playwright/test';

/** `npm test` starts the product and says where; nothing but a product on this machine is ever tested. */
const baseURL = process.env.E2E_BASE_URL ?? 'http://localhost:3000';
if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseURL).hostname)) {
  throw new Error(`E2E_BASE_URL=${baseURL} is not on this machine: the tests create accounts and sales`);
}

/** A browser that only talks to the product: no updates, no background requests. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'e2e',
  forbidOnly: true,
  retries: 0,
  // The product and the browser share the machine, and countdowns are measured.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL,
    actionTimeout: 20_000,
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: { args, executablePath: process.env.E2E_BROWSER || undefined },
  },
  projects: [
    { name: 'api', testMatch: 'api/**/*.spec.ts' },
    { name: 'desktop', testIgnore: 'api/**', use: { ...devices['Desktop Chrome'] } },
    { name: 'phone', testIgnore: 'api/**', use: { ...devices['Pixel 7'] } },
  ],
});
