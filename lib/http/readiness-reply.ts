import 'server-only';
import { checkReadiness } from './check-readiness';
import type { Reply } from './reply';

/** Answers whether the shop is ready to sell; 503 names what is missing. */
export async function readinessReply(): Promise<Reply> {
  const readiness = await checkReadiness();
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return {
    status: readiness.ready ? 200 : 503,
    headers: readiness.ready ? headers : { ...headers, 'retry-after': '1' },
    body: JSON.stringify(readiness),
  };
}
