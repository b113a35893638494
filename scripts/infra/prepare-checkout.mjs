import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAnyDependencies } from './ensure-dependencies.mjs';
import { diskFullAdvice } from './full-disk.mjs';
import { generateClient } from './generate-client.mjs';
import { Problem } from './problem.mjs';

const SAY_EVERY_MS = 10_000;
const STALE =
  'node_modules is not what package-lock.json names; "npm ci" puts that right, but not while a shop runs from here.';

/**
 * Prepares a checkout that was never started for a command: installs missing dependencies and generates the Prisma
 * client if need be. Says so on standard error. If it fails, the process ends here with one sentence and exit code 2.
 * @param {string} root repository root
 */
export async function prepareCheckout(root) {
  const logs = mkdtempSync(join(tmpdir(), 'seckill-prepare-'));
  const say = createSay();
  try {
    if (!(await ensureAnyDependencies(root, say.wait))) console.error(STALE);
    await generateClient({ root, logFile: join(logs, 'generate.log'), wait: say.wait });
  } catch (error) {
    const full = diskFullAdvice(error, [root]);
    if (!full && !(error instanceof Problem)) throw error;
    console.error(full ?? error.message);
    process.exit(2);
  } finally {
    say.stop();
    rmSync(logs, { recursive: true, force: true });
  }
}

/** Prints nothing while there is nothing to do. */
function createSay() {
  let timer;
  let waitsFor = () => '';
  return {
    wait(what) {
      waitsFor = what;
      if (timer) return;
      console.error('Installing what this checkout lacks …');
      timer = setInterval(() => console.error(`  ${waitsFor() || 'still at it'}`), SAY_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}
