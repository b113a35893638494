import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { internalAuthorization } from '@/lib/internal-authorization';
import { limitMs } from '@/lib/time-limits';

const RETRY_AFTER_MS = [500, 2000, 8000];

/**
 * Makes the web process render these pages again at their next visit. Asks over HTTP, because only the web process
 * holds them, while the worker and scripts change sales too. If the web process is down, asks again a few times in
 * the background; it starts without any kept page, so nothing stale survives its restart.
 * @param paths without language
 * @returns whether the first request succeeded.
 */
export async function revalidatePages(paths: string[]): Promise<boolean> {
  const isTaken = await ask(paths);
  if (!isTaken) void retry(paths);
  return isTaken;
}

async function retry(paths: string[]): Promise<void> {
  for (const waitMs of RETRY_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    if (await ask(paths)) return;
  }
  log.warn({ paths }, 'pages could not be renewed: no web process answered');
}

async function ask(paths: string[]): Promise<boolean> {
  const { serveOrigin } = env();
  try {
    const response = await fetch(`${serveOrigin}/api/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: internalAuthorization() },
      body: JSON.stringify({ paths }),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs('pageRenewal')),
    });
    return response.ok;
  } catch {
    return false;
  }
}
