/**
 * Next in a process of its own, behind the web process that started it. Built into one file by
 * `scripts/infra/bundle-server.mjs`; ends with whoever started it.
 */
import { createServer } from 'node:http';
import next from 'next';
import { env } from '@/lib/env';
import { runNext } from '@/lib/server/run-next';

const { port, host } = env();
// Next listens there for upgrades to WebSocket, which only its development server needs: offers of one are left aside.
const httpServer = createServer();
const app = next({ dev: false, dir: process.cwd(), hostname: host || 'localhost', port, httpServer });
await app.prepare();
await runNext(app.getRequestHandler());
