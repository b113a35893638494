import 'server-only';
import { createServer, type Server } from 'node:http';
import { log } from '@/lib/http/log';
import { METRICS_CONTENT_TYPE } from '@/lib/metrics/format-metrics';
import { pause } from '@/lib/outbox/pause';
import { renderMetrics } from './render-metrics';

const HOST = '127.0.0.1';
const RETRY_MS = 15_000;

/**
 * Answers `GET /metrics` on loopback until `signal` fires. Of several workers on a machine one has the port; the
 * others try for it again every 15 s, so that some worker always has it. Without the port a worker does everything
 * else as usual.
 * @param port 1 … 65,535, `METRICS_PORT`
 */
export async function serveMetrics(port: number, signal: AbortSignal, retryMs = RETRY_MS): Promise<void> {
  let hasComplained = false;
  while (!signal.aborted) {
    try {
      const server = await listen(port);
      log.info({ port }, 'metrics are served');
      await closed(server, signal);
      return;
    } catch (err) {
      // Most likely another worker has the port; if not, one line in the log is enough.
      if (!hasComplained)
        log.warn({ port, err }, 'METRICS_PORT cannot be had: another worker has it, or set another');
      hasComplained = true;
      await pause(retryMs, signal);
    }
  }
}

function listen(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    renderMetrics().then(
      (text) => response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE }).end(text),
      (err: unknown) => {
        log.error({ err }, 'metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: HOST }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function closed(server: Server, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    server.once('close', resolve);
    const close = () => {
      server.close();
      server.closeAllConnections();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  });
}
