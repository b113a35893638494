import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { Product, ProductFilter } from '@/lib/contract/shapes/product';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { nameContains } from './name-contains';
import { PICTURES_PART } from './pictures';
import { toProduct } from './to-product';

/** Returns one page of products, newest first. `shops` null = of all shops. */
export async function listProducts(
  shops: readonly string[] | null,
  { cursor, limit }: Page,
  { status, q }: ProductFilter = {},
): Promise<{ products: Product[]; nextCursor: string | null }> {
  const rows = await readStale((client) =>
    client.product.findMany({
      where: {
        ...(shops === null ? {} : { merchantId: { in: [...shops] } }),
        ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
        status,
        ...(q ? { OR: [...nameContains(q), { id: q }, { slug: q }] } : {}),
      },
      orderBy: { id: 'desc' },
      include: PICTURES_PART,
      take: limit + 1,
    }),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    products: page.map(toProduct),
    nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  };
}
