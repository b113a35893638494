import { cutText } from '@/lib/human-text';
import { sign } from './sign';
import type { ExecutorLog } from './types';

const SERVE_PATH = '/api/inngest';
const BODY = '{}';
const TIMEOUT_MS = 10_000;
/**
 * `RETRY_MS`: how often to ask until the app answers. `REPEAT_MS`: how often to ask after that, to notice an app that
 * was restarted with other functions.
 */
const RETRY_MS = 500;
const REPEAT_MS = 15_000;
/** The executor and the app start together. An app that has not answered after this long is a warning. */
const START_MS = 60_000;

/**
 * Asks the app to register its functions.
 * @param serveOrigin where the app serves `/api/inngest`.
 * @returns undefined, or the reason why the app did not register.
 */
export async function syncApp(serveOrigin: string, signingKey: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL(SERVE_PATH, serveOrigin), {
      method: 'PUT',
      body: BODY,
      headers: { 'content-type': 'application/json', 'x-inngest-signature': sign(BODY, signingKey) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${cutText(text, 1000)}`;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
}

/**
 * Keeps the registration up to date: asks until the app answers, then again every 15 s.
 * @param startMs how long the app's own start may take, ms
 * @returns a function that stops it.
 */
export function keepSynced(
  serveOrigin: string,
  signingKey: string,
  log: ExecutorLog,
  startMs = START_MS,
): () => void {
  const startsUntil = performance.now() + startMs;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isStarting = true;
  let lastProblem: string | undefined;

  async function sync() {
    const problem = await syncApp(serveOrigin, signingKey);
    if (isStopped) return;
    isStarting &&= problem !== undefined && performance.now() < startsUntil;
    if (problem && !isStarting && problem !== lastProblem)
      log.warn({ app: serveOrigin, problem }, 'The app could not be synced yet');
    lastProblem = isStarting ? undefined : problem;
    timer = setTimeout(sync, problem ? RETRY_MS : REPEAT_MS);
  }

  void sync();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
