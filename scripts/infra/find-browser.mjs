import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptInstall } from './apt-install.mjs';
import { onPath } from './find-server.mjs';
import { Problem } from './problem.mjs';
import { runToEnd } from './run-to-end.mjs';

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const HEADLESS_SHELL = 'chromium-headless-shell';
const ON_MACOS = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
const COMMAND = 'npx playwright install --with-deps chromium';

/**
 * Finds this machine's Chromium or Chrome; as root, installs Debian's with apt if need be. Needs none of our
 * packages.
 * @param {{ wait?: import('./progress.mjs').Wait }} [options]
 * @returns {Promise<string | undefined>} the full path of the executable.
 */
export async function findInstalledBrowser({ wait } = {}) {
  const installed = onPath(ON_PATH) ?? ON_MACOS.map((app) => `/Applications/${app}`).find(existsSync);
  return installed ?? installWithApt('chromium', ON_PATH, wait);
}

/**
 * Finds Chromium's headless shell, a browser without windows and settings that needs half the processor time; as
 * root, installs Debian's with apt if need be. Needs none of our packages.
 * @param {{ wait?: import('./progress.mjs').Wait }} [options]
 * @returns {Promise<string | undefined>} the full path of the executable.
 */
export async function findHeadlessShell({ wait } = {}) {
  return onPath([HEADLESS_SHELL]) ?? installWithApt(HEADLESS_SHELL, [HEADLESS_SHELL], wait);
}

/** Installs one of Debian's browsers if that is possible here. @returns the full path of the executable */
async function installWithApt(name, executables, wait) {
  const apt = onPath(['apt-get']);
  if (!apt || process.getuid?.() !== 0) return undefined;
  // If this fails, Playwright may have, or get, a browser of its own.
  await aptInstall(apt, name, { title: 'Chromium', wait }).catch(() => {});
  return onPath(executables);
}

/**
 * Finds the browser for the end-to-end tests: Playwright's own, else this machine's, else Playwright's download.
 * @param {{ root: string, wait?: import('./progress.mjs').Wait }} options
 * @returns {Promise<string>} the full path of the executable.
 * @throws {Problem} with the one command to run.
 */
export async function findBrowser({ root, wait }) {
  const { chromium } = await import('playwright-core');
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  const installed = await findInstalledBrowser({ wait });
  if (installed) return installed;
  const logs = mkdtempSync(join(tmpdir(), 'seckill-browser-'));
  try {
    await runToEnd({
      what: 'There is no browser for the end-to-end tests, and Playwright could not get one',
      command: process.execPath,
      args: [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'],
      cwd: root,
      logFile: join(logs, 'playwright.log'),
      advice: `Run "${COMMAND}", or "npm test -- --unit" for the tests without a browser.`,
      wait,
    });
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
  if (existsSync(own)) return own;
  throw new Problem(`There is no browser for the end-to-end tests: run "${COMMAND}" and start again.`);
}
