import type { Reply } from '@/lib/http/reply';

/** Says that the process runs; whether it can do its work is another question. */
export const ALIVE: Reply = {
  status: 200,
  headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  body: 'ok\n',
};

/** Says whether a process can do its work, and if not, what is missing. */
export function readyReply(readiness: { ready: boolean; [part: string]: unknown }): Reply {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return {
    status: readiness.ready ? 200 : 503,
    headers: readiness.ready ? headers : { ...headers, 'retry-after': '1' },
    body: JSON.stringify(readiness),
  };
}
