/**
 * The web process: our server in front of Next. With `WEB_CONCURRENCY` above 1, that many of them on one port. Built into
 * one file by `scripts/infra/bundle-server.mjs`; SIGTERM ends it after the last answer.
 */
import cluster from 'node:cluster';
import next from 'next';
import { env } from '@/lib/env';
import { runCluster } from '@/lib/server/run-cluster';
import { runWeb } from '@/lib/server/run-web';

// Names what is wrong with the environment before anything starts.
const { webConcurrency, port, host } = env();

if (webConcurrency > 1 && cluster.isPrimary) {
  runCluster(webConcurrency);
} else {
  const app = next({ dev: false, dir: process.cwd(), hostname: host || 'localhost', port });
  await app.prepare();
  await runWeb(app.getRequestHandler(), app.getUpgradeHandler());
}
