import 'server-only';
import { createServer, type Server } from 'node:http';
import { answerHealth } from '@/lib/health/answer-health';
import { log } from '@/lib/http/log';
import type { Reply } from '@/lib/http/reply';
import { METRICS_CONTENT_TYPE } from '@/lib/metrics/format-metrics';
import { pause } from '@/lib/outbox/pause';
import { renderMetrics } from './render-metrics';

const RETRY_MS = 15_000;

/** A worker's address for metrics: `METRICS_HOST`, and `METRICS_PORT` from 1 to 65,535. */
type Place = { host: string; port: number };

/**
 * Answers `GET /metrics`, `/livez` and `/readyz` until `signal` fires. Of several workers at one port one has it; the
 * others try for it again every 15 s, so that some worker always has it. Without the port a worker does everything
 * else as usual.
 */
export async function serveMetrics(
  { host, port }: Place,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): Promise<void> {
  let hasComplained = false;
  while (!signal.aborted) {
    try {
      const server = await listen({ host, port });
      log.info({ host, port }, 'metrics are served');
      await closed(server, signal);
      return;
    } catch (err) {
      // Most likely another worker has the port; if not, one line in the log is enough.
      if (!hasComplained)
        log.warn({ host, port, err }, 'METRICS_PORT cannot be had: another worker has it, or set another');
      hasComplained = true;
      await pause(retryMs, signal);
    }
  }
}

function listen({ host, port }: Place): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const isQuestion = request.method === 'GET' || request.method === 'HEAD';
    const answer = isQuestion ? (answerHealth(path) ?? (path === '/metrics' ? metricsReply() : null)) : null;
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    answer.then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (err: unknown) => {
        log.error({ err }, 'metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

const metricsReply = async (): Promise<Reply> => ({
  status: 200,
  headers: { 'content-type': METRICS_CONTENT_TYPE },
  body: await renderMetrics(),
});

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
