import type { CampaignLink } from '@/lib/contract/shapes/campaign';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { type PlainSaleFields, saleFieldsOf } from '@/lib/contract/shapes/sale-fields';
import type { Variant } from '@/lib/contract/shapes/variant';
import type { SaleStatus } from '@/lib/contract/words/sale';
import type { Prisma, Product as ProductRow, Sale as SaleRow } from '@/prisma/generated/client';
import { endOf } from './end-of';

type CampaignColumns = { id: string; slug: string; title: string; limitPerUser: number | null };

/** A sale's row with what belongs to it. */
export type SaleWithParts = SaleRow & {
  product: ProductRow;
  campaign: CampaignColumns | null;
  variants: Variant[];
};

/** The columns of a campaign that are read with a sale's row. */
export const CAMPAIGN_PART = {
  select: { id: true, slug: true, title: true, limitPerUser: true },
} as const satisfies Prisma.CampaignDefaultArgs;

/** Rows that are read with a sale's, to make its info. */
export const SALE_PARTS = {
  product: true,
  campaign: CAMPAIGN_PART,
  variants: { select: { name: true, stock: true, picture: true }, orderBy: { number: 'asc' } },
} as const satisfies Prisma.SaleInclude;

/** Returns the campaign's part of a sale's info. */
export const toCampaignLink = (campaign: CampaignColumns | null): CampaignLink | null =>
  campaign && {
    campaignId: campaign.id,
    slug: campaign.slug,
    title: campaign.title,
    limitPerUser: campaign.limitPerUser,
  };

/** Turns a database row into a sale's info. */
export function toSaleInfo(row: SaleWithParts): SaleInfo {
  return {
    ...(saleFieldsOf(row) as PlainSaleFields),
    saleId: row.id,
    slug: row.slug,
    merchantId: row.merchantId,
    imageUrl: row.product.imageUrl,
    productName: row.product.name,
    description: row.product.description,
    attributes: row.product.attributes as Record<string, string>,
    startsAt: row.startsAt.getTime(),
    endsAt: endOf(row),
    entryOpensAt: row.entryOpensAt.getTime(),
    reservation:
      row.reservationOpensAt && row.reservationClosesAt
        ? { opensAt: row.reservationOpensAt.getTime(), closesAt: row.reservationClosesAt.getTime() }
        : null,
    campaign: toCampaignLink(row.campaign),
    variants: row.variants,
    status: row.status as SaleStatus,
    paused: row.paused,
    waitlistClosed: row.waitlistClosed,
    limits: row.limits as SaleLimits | null,
    epoch: row.epoch,
    sliceEpochs: row.sliceEpochs,
    version: row.version,
  };
}
