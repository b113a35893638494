import { db } from '@/lib/db/client';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { draftSale, makeProduct } from '@/tools/harness/draft-sale';
import { recruitMerchant } from '@/tools/harness/recruit';
import { signIn } from '@/tools/harness/sign-in';

export type ChaosSale = {
  saleId: string;
  gate: string;
  merchantId: string;
  stock: number;
  slices: number;
  limitPerUser: number;
  /** Epoch ms. */
  startsAt: number;
  paymentWindowMs: number;
};

/**
 * Drafts a sale and signs in its merchant and the load-test users 1 … `users`.
 * @param stock units, split over so many `slices`
 * @param opensInMs may be negative
 */
export async function draftChaosSale(options: {
  stock: number;
  slices: number;
  limitPerUser: number;
  paymentWindowSec: number;
  users: number;
  opensInMs: number;
}): Promise<ChaosSale> {
  const { stock, slices, limitPerUser, paymentWindowSec, users, opensInMs } = options;
  await createLoadUsers(users);
  const merchant = await recruitMerchant('chaos');
  // Signing in needs the database, so it happens before any fault.
  await signIn(merchant.userId);
  for (let n = 1; n <= users; n += 1) await signIn(loadUserId(n));
  const startsAt = Date.now() + opensInMs;
  const { saleId } = await draftSale(merchant, {
    productId: await makeProduct(merchant, { name: 'Chaos', description: 'Bought under fire.' }),
    title: 'Chaos sale',
    totalStock: stock,
    slices,
    limitPerUser,
    startsAt,
    paymentWindowSec,
  });
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return {
    saleId,
    gate,
    stock,
    slices,
    limitPerUser,
    startsAt,
    merchantId: merchant.userId,
    paymentWindowMs: paymentWindowSec * 1_000,
  };
}
