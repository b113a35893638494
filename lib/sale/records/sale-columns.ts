import { saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import { Prisma } from '@/prisma/generated/client';

const SLUG_TAIL = 8;

/** Makes the slug: the product's slug and the end of the sale's id, so that nobody has to invent one. */
export const saleSlug = (productSlug: string, saleId: string): string =>
  `${productSlug}-${saleId.slice(-SLUG_TAIL).toLowerCase()}`;

/** Turns the fields that a merchant enters, except the product, into database columns. */
export const saleColumns = (input: CreateSaleInput) => ({
  ...saleFieldsOf(input),
  startsAt: new Date(input.startsAt),
  endsAt: new Date(input.endsAt),
  entryOpensAt: new Date(input.entryOpensAt),
  reservationOpensAt: input.reservation ? new Date(input.reservation.opensAt) : null,
  reservationClosesAt: input.reservation ? new Date(input.reservation.closesAt) : null,
  limits: input.limits ?? Prisma.DbNull,
});
