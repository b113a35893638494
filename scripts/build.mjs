import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildWhenChanged } from './infra/build-when-changed.mjs';
import { bundleParts } from './infra/bundle-parts.mjs';
import { nodeProblem } from './infra/check-node.mjs';
import { cleanEnv } from './infra/clean-env.mjs';
import { ensureDependencies } from './infra/ensure-dependencies.mjs';
import { generateClient } from './infra/generate-client.mjs';
import { Problem } from './infra/problem.mjs';
import { progress } from './infra/progress.mjs';
import { newSecrets } from './infra/secrets.mjs';
import { partEnv } from './infra/settings.mjs';
import { checkUsage } from './infra/usages.mjs';

checkUsage('build', process.argv.slice(2));

/**
 * `npm run build`: makes everything that web, worker and executor run from. It needs no server, and nothing it makes
 * holds a setting or a secret: the pages that are built ahead say the same in every shop.
 */
const root = resolve(import.meta.dirname, '..');
const logs = mkdtempSync(join(tmpdir(), 'seckill-build-'));
const show = progress();

async function build() {
  const old = nodeProblem(process.versions.node, process.platform);
  if (old) throw new Problem(old);
  await show.step('Dependencies', async (note, wait) => note(await ensureDependencies(root, { wait })));
  await show.step('Prisma client', async (note, wait) =>
    note(await generateClient({ root, logFile: join(logs, 'generate.log'), wait })),
  );
  const { NEXT_DIST_DIR = '' } = process.env;
  const env = partEnv({
    base: cleanEnv(process.env, { NEXT_DIST_DIR }),
    // The build reads the settings, as everything does; these are for it alone.
    secrets: newSecrets(),
    databaseUrl: 'postgres://localhost/any',
    redisUrl: 'redis://localhost',
    ports: { web: 3000, executor: 8288, metrics: 9464 },
    isDev: false,
    isDemo: true,
  });
  await show.step('Build', async (note, wait) => {
    note(await buildWhenChanged({ root, logFile: join(logs, 'build.log'), env, wait }));
    await bundleParts({ root, dist: NEXT_DIST_DIR || '.next' });
  });
}

try {
  await build();
  rmSync(logs, { recursive: true, force: true });
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exitCode = 1;
}
