import { createCampaign } from '@/lib/campaign/admin/create-campaign';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { newId } from '@/lib/ids/new-id';
import { createProduct } from '@/lib/product/admin/create-product';
import { createSale } from '@/lib/sale/admin/create-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { makeUser } from './make-sale';

const newSlug = () => newId('c').replaceAll('_', '-');

/**
 * For tests: a campaign with published sales that run now.
 * @param sales what differs from 20 units, three per person
 */
export async function makeCampaign(limitPerUser: number | null, sales: readonly Record<string, unknown>[]) {
  const merchant = await makeUser('merchant');
  const made = await createCampaign(merchant, {
    slug: newSlug(),
    title: 'Lantern festival',
    description: '',
    limitPerUser,
  });
  if (made.status !== 'created') throw new Error(made.status);
  const { campaign } = made;
  const product = await createProduct(merchant, { slug: newSlug(), name: 'Lantern', description: 'Paper' });
  if (product.status !== 'created') throw new Error(product.status);
  const now = Date.now();
  const published: SaleInfo[] = [];
  for (const [at, changes] of sales.entries()) {
    const draft = await createSale(
      merchant,
      newSale.parse({
        productId: product.product.productId,
        title: `Lantern ${at + 1}`,
        priceMinor: 9900,
        currency: 'CNY',
        totalStock: 20,
        limitPerUser: 3,
        startsAt: now - 60_000 + at,
        endsAt: now + 3_600_000,
        campaignId: campaign.campaignId,
        ...changes,
      }),
    );
    if (draft.status !== 'created') throw new Error(draft.status);
    const result = await publishSale(merchant, draft.sale.saleId);
    if (result.status !== 'changed') throw new Error(result.status);
    published.push(result.sale);
  }
  return { merchant, campaign, sales: published };
}
