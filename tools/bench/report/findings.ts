import type { FigureName } from '../figures';

const WHEN = 'profiled in November 2026 on 2 busy cores with Node 20, shares of busy time';

/**
 * Findings from processor profiles (`--profile`) of the process that sells, under load. The report prints them beside
 * a missed target, as the first place to look. The profiles come from quick runs, so profile again before acting on a
 * small share.
 */
export const FINDINGS: Partial<Record<FigureName, string>> = {
  growth:
    'purchases of one sale that come at the same moment share a call of the script, purchases of different sales do not: one busy sale is faster than many. Calls of many sales leave in one write and name three keys, not five; what is left is one call for each purchase in Redis (about twice the processor time of one in sixteen) and in the client.',
  script:
    'one to a call costs Redis 13 µs of processor time, sixteen to a call 5 µs each, the minimal script 3.4: reading and checking the sale is what the sixteen share. One to a call was 12 µs before a call could hold several; a busy process makes few such calls. A script of the same six commands that checks nothing at all costs 10 µs, and 9 with two of them joined: with what an accepted purchase has to read and write, 0.38 is out of reach.',
  purchase: `${WHEN}: 22 % writing to sockets (17 to clients, 5 to Redis), 9 % garbage collection, about 10 % our own code, 5 % ioredis, 1 % HMAC. The process was idle for most of the time: Redis, which syncs its file, and the generator shared the two cores with it.`,
  limits:
    'processor time per purchase, November 2026, 2 cores, in turns: Redis 26 µs with the limits and 18 without (10 and 6 of them in the script, in calls of sixteen), the process that sells 35 and 35. The state of each user is read, counted and written; those of address and interface once for all.',
  variants:
    'processor time per purchase, November 2026, 2 cores, in turns: Redis 20 µs with twenty variants and 19 without, the process that sells 37 and 38. The twenty numbers are read and written once for all purchases of a call.',
  'sold-out': `${WHEN}: 50 % in the system call that writes the answer, the rest spread thin: 3 % garbage collection, 2 % HMAC of the token, 2 % its JSON, 2 % the answer's text. Reading requests without node:http took it from 0.27 to where it is. The constant checks no token; the fast path must, since whoever has bought gets the first answer again. A tenth goes into keeping for "why not me?" who was refused, 2,000 a second of them into Postgres.`,
  expiry:
    'releasing 40,000 orders with nothing else at work, November 2026, 2 busy cores, shares of the time: 35 % cancelling in Postgres, 29 % giving back in Redis, 23 % noting that, 11 % looking for payments that were opened, 2 % finding what is due.',
  orders:
    'processor time per order, November 2026, 2 cores, Node 20: Postgres 60 to 100 µs (eleven index entries, two foreign keys), web process 42, worker 22, executor 14, Redis 8. At 10,000/s two cores have 200 µs per order, and the first batches also pay for starting and compiling.',
  page: `${WHEN}: 80 % in the system call that writes header and page in one piece, 2 % our own code. nginx sends the file without copying it, and its worker reads its requests in C.`,
};
