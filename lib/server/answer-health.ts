import 'server-only';
import { readinessReply } from '@/lib/http/readiness-reply';
import type { Reply } from '@/lib/http/reply';

const ALIVE: Reply = {
  status: 200,
  headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  body: 'ok\n',
};

/**
 * Answers health checks without Next, which may be busy or restarting while sales go on. Returns null for any other
 * path.
 */
export function answerHealth(path: string): Promise<Reply> | null {
  if (path === '/livez') return Promise.resolve(ALIVE);
  return path === '/readyz' ? readinessReply() : null;
}
