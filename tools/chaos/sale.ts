import { createCampaign } from '@/lib/admin/campaigns/create-campaign';
import { createLoadUsers, loadUserId } from '@/lib/admin/load/create-load-users';
import { newCampaign } from '@/lib/contract/shapes/campaign';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { draftSale, makeProduct } from '@/tools/harness/draft-sale';
import { recruitMerchant } from '@/tools/harness/recruit';
import { signIn } from '@/tools/harness/sign-in';
import { KIND_TERMS, type RoundKind } from './round-kinds';

export type ChaosSale = {
  kind: RoundKind;
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

/** People join a line from this long before the start on. */
const LINE_OPENS_MS = 60_000;

/**
 * Drafts the sales of a round, two of one campaign or one alone, and signs in their merchant and the load-test users
 * 1 … `users`.
 * @param slices over how many each stock is split
 * @param opensInMs may be negative
 */
export async function draftChaosSales(options: {
  kind: RoundKind;
  slices: number;
  paymentWindowSec: number;
  users: number;
  opensInMs: number;
}): Promise<ChaosSale[]> {
  const { kind, slices, paymentWindowSec, users, opensInMs } = options;
  const { sales, unitsPerShopper, limitPerUser, campaignLimit, hasLine, terms } = KIND_TERMS[kind];
  const stock = Math.ceil(users * unitsPerShopper);
  await createLoadUsers(users);
  const merchant = await recruitMerchant('chaos');
  // Signing in needs the database, so it happens before any fault.
  await signIn(merchant.userId);
  for (let n = 1; n <= users; n += 1) await signIn(loadUserId(n));
  const startsAt = Date.now() + opensInMs;
  const productId = await makeProduct(merchant, { name: 'Chaos', description: 'Bought under fire.' });
  const campaignId = campaignLimit === null ? null : await makeCampaign(merchant, campaignLimit);
  const drafted: ChaosSale[] = [];
  for (let at = 0; at < sales; at += 1) {
    const { saleId } = await draftSale(merchant, {
      productId,
      title: 'Chaos sale',
      totalStock: stock,
      slices,
      limitPerUser,
      startsAt,
      paymentWindowSec,
      ...(hasLine ? { entryOpensAt: startsAt - LINE_OPENS_MS } : {}),
      ...terms,
      campaignId,
    });
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    drafted.push({
      kind,
      saleId,
      gate,
      stock,
      slices,
      limitPerUser,
      startsAt,
      merchantId: merchant.userId,
      paymentWindowMs: paymentWindowSec * 1_000,
    });
  }
  return drafted;
}

async function makeCampaign(
  merchant: Awaited<ReturnType<typeof recruitMerchant>>,
  limitPerUser: number,
): Promise<string> {
  const slug = newId('camp').toLowerCase().replaceAll('_', '-');
  const made = await createCampaign(merchant, newCampaign.parse({ slug, title: 'Chaos', limitPerUser }));
  if (made.status !== 'created') throw new Error(`the campaign ${slug}: ${made.status}`);
  return made.campaign.campaignId;
}
