/**
 * Runs Next in a process of its own, behind the web process that started it. `scripts/infra/bundle-parts.mjs` builds
 * it into one file; it ends with the process that started it.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import { env } from '@/lib/env';
import { readBuild } from '@/lib/server/read-build';
import { runNext } from '@/lib/server/run-next';
import { createSiteMap } from '@/lib/server/site-map';

const { port, host } = env();
// Next listens on this server for upgrades to WebSocket, which only its development server needs: upgrade offers are
// ignored here.
const httpServer = createServer();
const app = next({ dev: false, dir: process.cwd(), hostname: host || 'localhost', port, httpServer });
await app.prepare();
const site = createSiteMap(readBuild(import.meta.dirname, join(process.cwd(), 'public')));
await runNext(app.getRequestHandler(), site);
