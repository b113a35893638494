import { routing } from '@/i18n/routing';
import { jsonContains, literal } from '@/lib/db/literal';
import type { Prisma } from '@/prisma/generated/client';

/** Returns conditions of which one holds where a product's name contains these letters, in any language. */
export const nameContains = (letters: string): Prisma.ProductWhereInput[] => [
  { name: { contains: literal(letters), mode: 'insensitive' } },
  ...routing.locales.map((locale) => ({ texts: jsonContains([locale, 'name'], letters) })),
];
