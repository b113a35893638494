import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compressStatic } from './compress-static.mjs';
import { runToEnd } from './run-to-end.mjs';
import { sourceHash } from './source-hash.mjs';
import { withCheckoutLock } from './with-checkout-lock.mjs';
import { readJson, writeAtomically } from './write-atomically.mjs';

/**
 * Builds the web application unless the last build was made from the same sources.
 * @param {{ root: string, logFile: string, env: NodeJS.ProcessEnv, wait?: import('./progress.mjs').Wait }} options
 * @returns {Promise<string>} what was done, for the progress line.
 */
export async function buildWhenChanged({ root, logFile, env, wait }) {
  const dist = join(root, env.NEXT_DIST_DIR || '.next');
  const stamp = join(dist, 'seckill-build.json');
  const isUpToDate = (hash) => readJson(stamp)?.hash === hash && existsSync(join(dist, 'BUILD_ID'));
  if (isUpToDate(sourceHash(root))) return 'up to date';
  return withCheckoutLock(
    root,
    async () => {
      const hash = sourceHash(root);
      if (isUpToDate(hash)) return 'built by another command';
      await runToEnd({
        what: 'The application could not be built',
        command: process.execPath,
        args: [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
        cwd: root,
        logFile,
        env,
        wait,
      });
      await compressStatic(dist);
      // Written last: a build that was interrupted has no stamp and is made again.
      writeAtomically(stamp, JSON.stringify({ hash }));
      return 'built';
    },
    wait,
  );
}
