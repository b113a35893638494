import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { makeSale } from '@/test/support/make-sale';
import { answerOrder } from '../../order/answer-order';
import { purchase } from '../../purchase/purchase';

export type Sale = Pick<SaleInfo, 'saleId' | 'epoch'>;

/** Signs an entry token for somebody. */
export const tokenFor = (saleId: string, userId: string) =>
  signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt: Date.now() + 60_000, device: '' });

/** Sends a purchase as the web process does. */
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

/** Asks what became of an order's number. @param saleId with it the question is asked with an entry token alone */
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

/** Makes a sale of the queue strategy. */
export const queueSale = async (options: Parameters<typeof makeSale>[0] = {}) =>
  makeSale({ strategy: 'queue', ...options });

/** Takes away what Redis knows of a sale, as a server that starts empty. */
export const loseAll = ({ saleId }: Sale) =>
  stockRedis().unlink(
    keys.sale(saleId),
    keys.buyers(saleId),
    keys.outbox(saleId),
    keys.queue(saleId),
    keys.asked(saleId),
  );

/** Makes the loading as old as one after which nobody brings back a lost purchase any more. */
export const ageLoading = ({ saleId }: Sale) =>
  stockRedis().hset(keys.sale(saleId), 'loadedAt', Date.now() - 60_000);
