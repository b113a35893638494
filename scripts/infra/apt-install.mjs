import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './run-to-end.mjs';

/**
 * Installs a Debian package without asking. Run level 1 prevents invoke-rc.d from starting the distribution's own
 * servers, which would outlive us. Gives up after ten minutes on a mirror that does not answer.
 * @param {string} apt path of apt-get
 * @param {string} name of the package
 * @param {{ title: string, instead?: string, wait?: import('./progress.mjs').Wait }} options `title`: names what is
 *   installed; `instead`: what the user can do otherwise
 * @throws {import('./problem.mjs').Problem} with apt-get's reason.
 */
export async function aptInstall(apt, name, { title, instead = '', wait = () => {} }) {
  const logs = mkdtempSync(join(tmpdir(), 'seckill-apt-'));
  const run = (args) =>
    runToEnd({
      what: `${title} could not be installed with apt-get`,
      command: apt,
      args,
      cwd: '/',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      logFile: join(logs, 'apt.log'),
      advice: `Install ${name} yourself${instead}.`,
      wait: (last) => wait(() => `${title} is being installed with apt-get: ${last()}`),
    });
  try {
    // Old lists may be good enough where the mirror can't be reached.
    await run(['update']).catch(() => {});
    await run(['install', '-y', '--no-install-recommends', name]);
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
}
