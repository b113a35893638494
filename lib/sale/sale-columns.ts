import { saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import { Prisma } from '@/prisma/generated/client';

const SLUG_TAIL = 8;

/** The product's slug and something of the sale's id, so that it never has to be invented. */
export const saleSlug = (productSlug: string, saleId: string): string =>
  `${productSlug}-${saleId.slice(-SLUG_TAIL).toLowerCase()}`;

/** What a merchant gives of a sale, except its product, as the database keeps it. */
export const saleColumns = (input: CreateSaleInput) => ({
  ...saleFieldsOf(input),
  startsAt: new Date(input.startsAt),
  endsAt: new Date(input.endsAt),
  entryOpensAt: new Date(input.entryOpensAt),
  reservationOpensAt: input.reservation ? new Date(input.reservation.opensAt) : null,
  reservationClosesAt: input.reservation ? new Date(input.reservation.closesAt) : null,
  limits: input.limits ?? Prisma.DbNull,
});
