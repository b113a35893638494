import { availableParallelism } from 'node:os';
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

/** Tests with bounds on time. They run after the others, which take the processor. */
const TIMED = '**/*.timed.spec.ts';
/** Other ways to look at a page, and pages that few people have. */
const LONG = '**/*.long.spec.ts';
/** A test of the second tier among others of the gate says so in its title. */
const LONG_TITLE = /@long$/;
/** Of what people do with a sale, what looks or works otherwise on a large page. */
const DESKTOP_TITLE = /@desktop$/;
/** One pixel for each of the page's: a telephone's seven would only be painted by the processor. */
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 };
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } };

/** A part of a browser test is waiting. */
const workers = availableParallelism() + 2;
/** Tests of the second tier wait longer: for a sleeping device, for an unpaid order to end. */
const MORE_WORKERS = 2;

export default defineConfig({
  testDir: 'e2e',
  forbidOnly: true,
  grepInvert: process.env.E2E_LONG ? undefined : LONG_TITLE,
  // A failed test runs once more; the runner names it as flaky.
  retries: 1,
  workers: process.env.E2E_LONG ? workers + MORE_WORKERS : workers,
  // Limits, here and below, are for what hangs, not for what is slow: a busy machine stands still for seconds.
  timeout: 480_000,
  expect: { timeout: 90_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL,
    actionTimeout: 90_000,
    locale: 'en-US',
    timezoneId: 'UTC',
    // No traces: they take a fifth of the processor. `npx playwright test --trace on` makes them.
    screenshot: 'only-on-failure',
    launchOptions: { args, executablePath: process.env.E2E_BROWSER || undefined },
  },
  projects: [
    // The second tier comes first: its longest test would be left over when the others are done.
    { name: 'long', testMatch: LONG, testIgnore: 'shop/**', use: desktop },
    { name: 'long-phone', testMatch: 'shop/**/*.long.spec.ts', use: phone },
    { name: 'shop-on-desktop', testMatch: 'shop/**/*.spec.ts', grep: DESKTOP_TITLE, use: desktop },
    // Plain HTTP, no browser.
    { name: 'api', testMatch: 'api/**/*.spec.ts', testIgnore: [LONG, TIMED], workers },
    {
      // What people do with a sale; what doesn't depend on the size of the page is tested once, in e2e/page.
      name: 'phone',
      testMatch: 'shop/**/*.spec.ts',
      testIgnore: [LONG, TIMED],
      workers,
      use: phone,
    },
    { name: 'desktop', testMatch: 'page/**/*.spec.ts', testIgnore: [LONG, TIMED], workers, use: desktop },
    // On a product of its own, outside the demo.
    { name: 'story', testMatch: 'story/**/*.spec.ts', use: desktop },
    { name: 'timed', testMatch: TIMED, workers: 2, use: desktop },
  ],
});
