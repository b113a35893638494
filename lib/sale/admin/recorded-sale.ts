import type { SaleInfo } from '@/lib/contract/shapes/sale';

/** Returns a sale as the audit log stores it: without fields that only machines use, and without those of its product. */
export function recordedSale(sale: SaleInfo) {
  const {
    epoch: _,
    sliceEpochs: _s,
    version: _v,
    productName: _n,
    description: _d,
    imageUrl: _i,
    attributes: _a,
    campaign,
    ...rest
  } = sale;
  return { ...rest, campaignId: campaign?.campaignId ?? null };
}
