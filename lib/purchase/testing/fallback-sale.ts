import { expect } from 'vitest';
import { db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { purchase } from '@/lib/purchase/purchase';
import { sendPurchase } from '@/lib/server/testing/send-purchase';
import type { FastPathProcess } from '@/lib/server/testing/start-fast-path';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeSale } from '@/test/support/make-sale';
import { placeNow } from './fallback-fixture';

type Open = { saleId: string; gate: string };
type Answer = { http: number; orderNo?: string; code?: string; available?: number };

/** For tests: opens a sale that Postgres goes on selling while Redis is away. */
export async function open(totalStock: number, limitPerUser = 1) {
  const { sale, merchant } = await makeSale({ onStockOutage: 'database', totalStock, limitPerUser });
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { saleId: sale.saleId, gate, merchant };
}

/** For tests: signs an entry token. */
export function tokenOf({ saleId }: Open, userId: string): string {
  const expiresAt = Date.now() + 600_000;
  return signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt, device: '' });
}

/** For tests: buys in this process, or in another one if given. */
export async function buy(sale: Open, token: string, fastPath?: FastPathProcess): Promise<Answer> {
  if (fastPath) {
    const { status, body } = await sendPurchase(fastPath.origin, sale, token);
    return { http: status, ...body };
  }
  const reply = await purchase({ ...sale, entryToken: token, body: '' });
  return { http: reply.status, ...JSON.parse(reply.body.toString()) };
}

/** For tests: asks until the answer is something else than "come again". */
export async function buyPatiently(sale: Open, token: string, fastPath?: FastPathProcess): Promise<Answer> {
  let answer: Answer = { http: 0 };
  await expect
    .poll(
      async () => {
        answer = await buy(sale, token, fastPath);
        return answer.http;
      },
      { interval: 20 },
    )
    .not.toBe(503);
  return answer;
}

/** For tests: waits until a sale is sold there. */
export const isIn = (saleId: string, mode: string) =>
  expect.poll(async () => (await placeNow(saleId))?.mode, { interval: 20 }).toBe(mode);

/** For tests: reads a sale's orders, oldest first. */
export const ordersOf = (saleId: string) =>
  db().order.findMany({ where: { saleId }, orderBy: { id: 'asc' } });

/** For tests: lists the promises that `verify` finds broken. */
export const brokenIn = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 500 }))?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]));
