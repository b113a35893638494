import 'server-only';
import { env } from '@/lib/env';
import { internalAuthorization } from '@/lib/http/internal-authorization';
import { log } from '@/lib/http/log';

const TIMEOUT_MS = 2000;
const RETRY_AFTER_MS = [500, 2000, 8000];

/**
 * Makes the web process render these pages again at their next visit. Asks over HTTP, because only the web process
 * holds them, while the worker and scripts change sales too. If the web process is down, asks again a few times in
 * the background; it starts without any kept page, so nothing stale survives its restart.
 * @param paths without language @param isAll every page, whichever these are
 * @returns whether the first request succeeded.
 */
export async function revalidatePages(paths: string[], isAll = false): Promise<boolean> {
  const isTaken = await ask(paths, isAll);
  if (!isTaken) void retry(paths, isAll);
  return isTaken;
}

async function retry(paths: string[], isAll: boolean): Promise<void> {
  for (const waitMs of RETRY_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    if (await ask(paths, isAll)) return;
  }
  log.warn({ paths }, 'pages could not be renewed: no web process answered');
}

async function ask(paths: string[], isAll: boolean): Promise<boolean> {
  const { serveOrigin } = env();
  try {
    const response = await fetch(`${serveOrigin}/api/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: internalAuthorization() },
      body: JSON.stringify({ paths, isAll }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}
