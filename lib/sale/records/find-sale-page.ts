import 'server-only';
import type { Locale } from '@/i18n/routing';
import type { Picture } from '@/lib/contract/shapes/picture';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { PICTURES_PART } from '@/lib/product/pictures';
import { toProduct } from '@/lib/product/to-product';
import { asksForShipping, toShipping } from '@/lib/shop/records/shipping';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';

/** Only the page shows all pictures: what is cached for purchases stays small. */
const PAGE_PARTS = { ...SALE_PARTS, product: { include: PICTURES_PART } } as const;

type SalePage = SaleInfo & {
  pictures: Picture[];
  /** Hundredths of a percent that the price includes; null: nothing is said. */
  taxRate: number | null;
  /** True if its parcel may cost something more. */
  costsShipping: boolean;
};

/**
 * Returns what the static sale page shows in a language, straight from Postgres (it is rendered once per edit); null for
 * drafts.
 */
export async function findSalePage(slug: string, locale: Locale): Promise<SalePage | null> {
  // Postgres refuses text with a zero byte.
  if (slug.length > 120 || slug.includes('\0')) return null;
  const row = await db().sale.findUnique({ where: { slug }, include: PAGE_PARTS });
  if (!row || row.status === 'draft') return null;
  const sale = toSaleInfo(row);
  const product = toProduct(row.product);
  const { name: productName, description, attributes } = { ...product, ...product.texts[locale] };
  return {
    ...sale,
    title: sale.titles[locale] ?? sale.title,
    productName,
    description,
    attributes,
    pictures: product.pictures,
    taxRate: row.taxRate,
    costsShipping: row.product.delivery === 'parcel' && (await costsShipping(row)),
  };
}

async function costsShipping({ merchantId, currency }: { merchantId: string; currency: string }) {
  const shop = await db().shop.findUnique({ where: { id: merchantId }, select: { shipping: true } });
  return asksForShipping(toShipping(shop?.shipping ?? []), currency);
}
