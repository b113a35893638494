import { createProduct } from '@/lib/admin/products/create-product';
import { createSale } from '@/lib/admin/sales/create-sale';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ask } from '@/tools/chaos/load/ask';
import { ownHeaders, signIn } from '@/tools/chaos/load/sign-in';

const MERCHANT = { userId: 'user_attack', role: 'merchant' } as const;
const OPEN_MS = 3_600_000;

/** What a merchant is advised to set for a sale that bots will come to; the risk rules are those that are shipped. */
export const RECOMMENDED = {
  challenge: 'pow',
  limits: {
    // A person asks once or twice; a page that was refused asks again when it may.
    user: { algorithm: 'sliding-window', limit: 5, windowSec: 10 },
    // Wide enough for a thousand people behind one address who all press the button at the start, twice.
    ip: { algorithm: 'sliding-window', limit: 3_000, windowSec: 60 },
  },
} as const;

export type AttackSale = { saleId: string; startsAt: number; stock: number };

/**
 * Publishes a sale whose entry is open already.
 * @param origin of a web process @param stock units @param startsInMs may be negative
 * @param input anything else a merchant may set
 */
export async function publishAttackSale(
  origin: string,
  { stock, startsInMs, ...input }: { stock: number; startsInMs: number } & Record<string, unknown>,
): Promise<AttackSale> {
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash, role)
    VALUES (${MERCHANT.userId}, 'attack@example.com', 'Attack', '!', 'merchant') ON CONFLICT DO NOTHING`;
  const slug = `attack-${newId('p').slice(-10)}`;
  const product = await createProduct(MERCHANT, { slug, name: 'Attack', description: 'Fought over.' });
  if (product.status !== 'created') throw new Error(`the product: ${product.status}`);
  const now = Date.now();
  const startsAt = now + startsInMs;
  const created = await createSale(
    MERCHANT,
    newSale.parse({
      productId: product.product.productId,
      title: 'Fought over',
      priceMinor: 1_999,
      currency: 'EUR',
      totalStock: stock,
      limitPerUser: 1,
      startsAt,
      endsAt: startsAt + OPEN_MS,
      entryOpensAt: Math.min(startsAt, now) - 1_000,
      ...input,
    }),
  );
  if (created.status !== 'created') throw new Error(`the sale: ${created.status}`);
  const { saleId } = created.sale;
  const reply = await ask(`${origin}/api/admin/sales/${saleId}/publish`, {
    method: 'POST',
    headers: ownHeaders(await signIn(MERCHANT.userId), origin),
    body: '{}',
  });
  if (reply.kind === 'unanswered' || reply.httpStatus !== 200)
    throw new Error(`the sale was not published: ${JSON.stringify(reply)}`);
  return { saleId, startsAt, stock };
}

/** Users that have bought units of the sale, an entry for each unit, with when (epoch ms), as far as orders are written. */
export async function readBuyers(saleId: string): Promise<{ userId: string; acceptedAt: number }[]> {
  const orders = await db().order.findMany({
    where: { saleId },
    select: { userId: true, quantity: true, acceptedAt: true },
  });
  return orders.flatMap(({ userId, quantity, acceptedAt }) =>
    Array.from({ length: quantity }, () => ({ userId, acceptedAt: acceptedAt.getTime() })),
  );
}
