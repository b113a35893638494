import type { Product } from '@/lib/contract/shapes/product';
import type { Product as ProductRow } from '@/prisma/generated/client';

/** The database row in the API's words. */
export function toProduct(row: ProductRow): Product {
  return {
    productId: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    imageUrl: row.imageUrl,
    attributes: toAttributes(row.attributes),
    version: row.version,
  };
}

/** Attributes are written through a schema that allows strings only; anything else in the column is left out. */
function toAttributes(json: ProductRow['attributes']): Record<string, string> {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
