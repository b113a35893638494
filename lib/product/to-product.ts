import { type Picture, picturesOf } from '@/lib/contract/shapes/picture';
import type { Product } from '@/lib/contract/shapes/product';
import type { Product as ProductRow } from '@/prisma/generated/client';

/** Converts a database row into the API's shape. */
export function toProduct(row: ProductRow & { pictures: Picture[] }): Product {
  return {
    productId: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    imageUrl: row.imageUrl,
    pictures: picturesOf(row),
    attributes: toAttributes(row.attributes),
    version: row.version,
  };
}

/** The schema for writing allows only strings as attributes; this leaves out anything else in the column. */
function toAttributes(json: ProductRow['attributes']): Record<string, string> {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
