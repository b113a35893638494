import 'server-only';
import type { Reply } from '@/lib/http/reply';
import { ALIVE } from './health-replies';
import { readinessReply } from './readiness-reply';

/**
 * Answers `/livez` and `/readyz` of web and worker; of the web process without Next, which may be busy or restarting
 * while sales go on. Returns null for any other path.
 */
export function answerHealth(path: string): Promise<Reply> | null {
  if (path === '/livez') return Promise.resolve(ALIVE);
  return path === '/readyz' ? readinessReply() : null;
}
