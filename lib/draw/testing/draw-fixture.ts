import { randomBytes } from 'node:crypto';
import type { DrawWeights } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';

type Options = Pick<
  NonNullable<Parameters<typeof createSaleFixture>[0]>,
  'total' | 'users' | 'paymentWindowSec' | 'variants' | 'limit'
> & {
  weights?: DrawWeights;
  /** The variant that each user wishes, by its number; left out: none. */
  wishes?: readonly number[];
};

/** For tests: a draw that has just closed, whose users have joined in the order of `userIds`. */
export async function createDrawFixture({
  weights = 'equal',
  total = 10,
  users = 3,
  wishes = [],
  ...rest
}: Options = {}): Promise<SaleFixture> {
  const sale = await createSaleFixture({ total, users, waitlist: true, ...rest });
  const { saleId, userIds } = sale;
  const seed = randomBytes(32);
  await db().$executeRaw`
    UPDATE sales SET admission = 'draw', draw_weights = ${weights}, version = version + 1
    WHERE id = ${saleId}`;
  await db().$executeRaw`
    INSERT INTO lines (sale_id, seed, seed_hash, next_number)
    VALUES (${saleId}, ${seed}, sha256(${seed}::bytea), ${userIds.length})`;
  await db().$executeRaw`
    INSERT INTO line_entries (sale_id, user_id, number, nonce, variant, joined_at)
    SELECT ${saleId}, user_id, at - 1, decode(md5(user_id), 'hex'), variant, now() - interval '90 seconds'
    FROM unnest(${userIds}::text[], ${userIds.map((_, at) => wishes[at] ?? 0)}::smallint[])
      WITH ORDINALITY AS u (user_id, variant, at)`;
  await forgetSaleInfo(saleId);
  return sale;
}

/** Reads the entries of a line in order of their numbers. */
export const readEntries = (saleId: string) =>
  db().lineEntry.findMany({ where: { saleId }, orderBy: { number: 'asc' } });
