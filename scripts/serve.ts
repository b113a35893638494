/**
 * The web process: our server in front of Next, which runs in a process of its own (`serve-next.ts`). With
 * `WEB_CONCURRENCY` above 1, that many web processes share one port. `scripts/infra/bundle-parts.mjs` builds it into
 * one file; SIGTERM ends it after the last answer.
 */
import cluster from 'node:cluster';
import { join } from 'node:path';
import { directRoutes } from '@/lib/api/visit/direct-routes';
import { env } from '@/lib/env';
import { mayHavePage } from '@/lib/sale/known-slugs';
import { brotliMadeIn } from '@/lib/server/made-brotli';
import { readBuild } from '@/lib/server/read-build';
import { runCluster } from '@/lib/server/run-cluster';
import { runWeb } from '@/lib/server/run-web';
import { createSiteMap } from '@/lib/server/site-map';
import { startNext } from '@/lib/server/start-next';
import { startOrExplain } from '@/lib/start-or-explain';

const nextFile = join(import.meta.dirname, 'seckill-next.mjs');

async function run(): Promise<void> {
  // Reports what is wrong with the environment before anything starts.
  const { webConcurrency, hasFastPath, nextMemoryBytes } = env();
  if (webConcurrency > 1 && cluster.isPrimary) return runCluster(webConcurrency);
  // Next owns the port alone if there is no fast path.
  if (!hasFastPath) return void (await import(nextFile));
  const site = createSiteMap(readBuild(import.meta.dirname, join(process.cwd(), 'public')), mayHavePage);
  const next = await startNext(nextFile, { maxMemoryBytes: nextMemoryBytes });
  await runWeb(next, { site, findBrotli: brotliMadeIn(import.meta.dirname), direct: directRoutes });
}

await startOrExplain({ host: 'SECKILL_HOST', port: 'PORT' }, run);
