import { setTimeout as delay } from 'node:timers/promises';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { purchase } from '../purchase';

type AskedSale = { saleId: string; gate: string; userIds: readonly string[] };

/** One purchase as its shopper saw it; `at` is on the monotonic clock. */
export type Told = {
  userId: string;
  http: number;
  code?: string;
  orderNo: string;
  at: number;
  tookMs: number;
};

const EVERY_MS = 20;

/** For tests: buys one unit as a shopper does. @param jti the entry token's id; each user has one unless it is given */
export async function shop(
  { saleId, gate }: Omit<AskedSale, 'userIds'>,
  userId: string,
  jti = `jti_${userId}`,
  address?: string,
) {
  const claims = { userId, saleId, level: 0, jti, expiresAt: Date.now() + 600_000, device: '' };
  const { status, body } = await purchase({
    saleId,
    gate,
    entryToken: signEntryToken(claims),
    body: '',
    address: () => address ?? null,
  });
  return { http: status, ...(JSON.parse(body) as { orderNo: string; code?: string; replay?: boolean }) };
}

/** For tests: lets a sale's users buy, fifty a second, each once, until stopped. */
export function startCrowd(sale: AskedSale) {
  const replies: Told[] = [];
  const asked: Promise<void>[] = [];
  let isStopped = false;
  const one = async (userId: string) => {
    const at = performance.now();
    const { http, code, orderNo } = await shop(sale, userId);
    replies.push({ userId, http, code, orderNo, at, tookMs: performance.now() - at });
  };
  const run = async () => {
    for (let n = 0; !isStopped && n < sale.userIds.length; n += 1) {
      asked.push(one(sale.userIds[n] ?? ''));
      await delay(EVERY_MS);
    }
    await Promise.all(asked);
  };
  const running = run();
  return {
    replies,
    async stop(): Promise<Told[]> {
      isStopped = true;
      await running;
      return replies;
    },
  };
}
