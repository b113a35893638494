import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { answerOrder } from '@/lib/order/answer-order';
import { purchase } from '@/lib/purchase/purchase';
import { makeSale } from '@/test/support/make-sale';

export type Sale = Pick<SaleInfo, 'saleId' | 'epoch'>;

export const tokenFor = (saleId: string, userId: string) =>
  signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt: Date.now() + 60_000, device: '' });

/** Presses; returns what the shopper is told. */
export async function ask(
  { saleId }: Sale,
  userId: string,
  entryToken = tokenFor(saleId, userId),
  body = '',
) {
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const reply = await purchase({ saleId, gate, entryToken, body });
  return {
    http: reply.status,
    retryAfter: reply.headers['retry-after'],
    ...JSON.parse(reply.body.toString()),
  };
}

/** Asks for an order as its shopper does. */
export async function readOrder(userId: string, orderNo: string, saleId?: string) {
  const reply = await answerOrder({ userId, ...(saleId !== undefined && { saleId }) }, orderNo);
  return { http: reply.status, ...JSON.parse(reply.body.toString()) };
}

/** Users as orders need them; in one statement, because some tests want hundreds. */
export async function users(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}

/** Makes a sale whose purchases wait for their decision. */
export const queueSale = async (options: Parameters<typeof makeSale>[0] = {}) =>
  makeSale({ strategy: 'queue', ...options });
