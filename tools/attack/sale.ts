import { askAdmin } from '@/tools/harness/ask-admin';
import { draftSale, makeProduct, type SaleTerms } from '@/tools/harness/draft-sale';
import { recruitMerchant } from '@/tools/harness/recruit';
import { signIn } from '@/tools/harness/sign-in';

/** The settings that we advise a merchant to use for a sale that bots will attack. The risk rules are those we ship. */
export const RECOMMENDED = {
  challenge: 'pow',
  limits: {
    // A person asks once or twice; a page that was refused asks again when the answer allows it.
    user: { algorithm: 'sliding-window', limit: 5, windowSec: 10 },
    // Wide enough for a thousand people behind one address who all press the button twice at the start.
    ip: { algorithm: 'sliding-window', limit: 3_000, windowSec: 60 },
  },
} as const;

export type AttackSale = { saleId: string; startsAt: number; stock: number };

/**
 * Publishes a sale whose entry is open already.
 * @param origin of a web process @param stock units @param startsInMs may be negative
 * @param terms any other settings of the sale
 */
export async function publishAttackSale(
  origin: string,
  { stock, startsInMs, ...terms }: { stock: number; startsInMs: number } & Partial<SaleTerms>,
): Promise<AttackSale> {
  const merchant = await recruitMerchant('attack');
  const productId = await makeProduct(merchant, { name: 'Attack', description: 'Fought over.' });
  const now = Date.now();
  const startsAt = now + startsInMs;
  const { saleId } = await draftSale(merchant, {
    productId,
    title: 'Fought over',
    totalStock: stock,
    startsAt,
    entryOpensAt: Math.min(startsAt, now) - 1_000,
    ...terms,
  });
  await askAdmin(origin, await signIn(merchant.userId), `sales/${saleId}/publish`);
  return { saleId, startsAt, stock };
}
