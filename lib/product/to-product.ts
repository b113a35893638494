import type { ProductDelivery } from '@/lib/contract/shapes/delivery';
import { type Picture, picturesOf } from '@/lib/contract/shapes/picture';
import type { Product, ProductTexts } from '@/lib/contract/shapes/product';
import type { ProductStatus } from '@/lib/contract/words/product';
import type { Product as ProductRow } from '@/prisma/generated/client';

/** Converts a database row into the API's shape. */
export function toProduct(row: ProductRow & { pictures: Picture[] }): Product {
  return {
    productId: row.id,
    slug: row.slug,
    name: row.name,
    status: row.status as ProductStatus,
    description: row.description,
    imageUrl: row.imageUrl,
    pictures: picturesOf(row),
    attributes: toAttributes(row.attributes),
    texts: row.texts as ProductTexts,
    delivery: toDelivery(row),
    taxRate: row.taxRate,
    weightGrams: row.weightGrams,
    version: row.version,
  };
}

/** Turns the two columns into one value; the database's check keeps them together. */
function toDelivery({ delivery, pickupPlace }: ProductRow): ProductDelivery | null {
  if (delivery === 'pickup') return { way: delivery, place: pickupPlace ?? '' };
  return delivery === null ? null : { way: delivery as 'parcel' | 'digital' };
}

/** Turns what an input says into the two columns; nothing, if it says nothing. */
export const deliveryColumns = (delivery: ProductDelivery | null | undefined) =>
  delivery === undefined
    ? {}
    : { delivery: delivery?.way ?? null, pickupPlace: delivery?.way === 'pickup' ? delivery.place : null };

/** The schema for writing allows only strings as attributes; this leaves out anything else in the column. */
function toAttributes(json: ProductRow['attributes']): Record<string, string> {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return {};
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
