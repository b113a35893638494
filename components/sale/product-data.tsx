import { minorDigits } from '@/components/ui/format-money';
import type { SaleInfo } from '@/lib/contract/shapes/sale';

/**
 * Tells search engines what is sold, at what price and when, in the words of schema.org. Nothing here changes while
 * the sale runs: the page is the same for everybody and kept.
 * @param shop the address shoppers see
 */
export function ProductData({ sale, shop }: { sale: SaleInfo; shop: string }) {
  return <script type="application/ld+json">{productData(sale, shop)}</script>;
}

/** @returns JSON that no word of a merchant can end */
export function productData(sale: SaleInfo, shop: string): string {
  const digits = minorDigits(sale.currency);
  const url = new URL(`/sales/${sale.slug}`, shop).href;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: sale.title,
    description: sale.description,
    ...(sale.imageUrl === null ? {} : { image: new URL(sale.imageUrl, shop).href }),
    offers: {
      '@type': 'Offer',
      url,
      price: (sale.priceMinor / 10 ** digits).toFixed(digits),
      priceCurrency: sale.currency,
      availabilityStarts: new Date(sale.startsAt).toISOString(),
      availabilityEnds: new Date(sale.endsAt).toISOString(),
      priceValidUntil: new Date(sale.endsAt).toISOString(),
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: 1, maxValue: sale.limitPerUser },
    },
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
