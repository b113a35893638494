import type { SaleInfo } from '@/lib/contract/shapes/sale';

/** A sale as the audit log keeps it: without what is only for the machines, and without what is its product's. */
export function recordedSale(sale: SaleInfo) {
  const {
    epoch: _,
    version: _v,
    productName: _n,
    description: _d,
    imageUrl: _i,
    attributes: _a,
    ...rest
  } = sale;
  return rest;
}
