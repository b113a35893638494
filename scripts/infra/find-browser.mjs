import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, onPath } from './find-server.mjs';
import { Problem } from './problem.mjs';

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ON_MACOS = ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'];
const DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Finds a browser for the end-to-end tests: Playwright's own, an installed Chromium or Chrome, Debian's by apt when
 * we are root, Playwright's download.
 * @param {{ root: string, say?: (line: string) => void }} options
 * @returns {Promise<string>} the full path of the executable.
 * @throws {Problem} with the one command to run.
 */
export async function findBrowser({ root, say = () => {} }) {
  const { chromium } = await import('playwright-core');
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  const installed = onPath(ON_PATH) ?? ON_MACOS.map((app) => `/Applications/${app}`).find(existsSync);
  if (installed) return installed;
  const apt = onPath(['apt-get']);
  if (apt && process.getuid?.() === 0) {
    say('installing chromium with apt-get');
    aptInstall(apt, ['chromium']);
    const fromApt = onPath(ON_PATH);
    if (fromApt) return fromApt;
  }
  say('downloading Chromium with Playwright');
  const cli = join(root, 'node_modules', 'playwright', 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  if (existsSync(own)) return own;
  throw new Problem(
    'There is no browser for the end-to-end tests: run "npx playwright install --with-deps chromium" and start again.',
  );
}
