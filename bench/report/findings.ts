import type { FigureName } from '../arguments';

const WHEN = 'profiled in November 2026 on 2 busy cores with Node 20, shares of busy time';

/**
 * What processor profiles of the fast lane's process (`--profile`) showed under load. Printed beside a missed target, as
 * the first place to look; the profiles come from quick runs, so profile again before acting on a small share.
 */
export const FINDINGS: Partial<Record<FigureName, string>> = {
  purchase: `${WHEN}: 23 % writing to sockets, 13 % ioredis, 11 % garbage collection, 10 % the promise hooks of AsyncLocalStorage, 9 % our own code, 4 % HMAC. The process was idle for about a third of the time: Redis, generator and server shared the two cores.`,
  'sold-out': `${WHEN}: 37 % writing to sockets (writev), 11 % our own code, 8 % node:http, 6 % HMAC of the token, 6 % the promise hooks of AsyncLocalStorage. The constant checks no token; the lane must, since whoever has bought gets the first answer again.`,
  page: `${WHEN}: 65 % in the system call that writes header and page (writev), 1 % our own code. nginx uses sendfile.`,
};
