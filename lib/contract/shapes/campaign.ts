import { z } from 'zod';
import { CAMPAIGN_STATUSES, MAX_CAMPAIGN_LIMIT } from '../words/campaign';
import { MAX_SLUG_LENGTH, SLUG } from '../words/product';
import { SALE_STATUSES } from '../words/sale';
import { count, forShop, requestId, time, units } from './common';

const limitPerUser = z
  .int()
  .nullable()
  .describe('Units that one person may have over all its sales; null: only each sale’s own limit counts.');

/** The campaign of a sale, as the sale shows it. */
export const campaignLink = z
  .object({ campaignId: z.string(), slug: z.string(), title: z.string(), limitPerUser })
  .meta({ id: 'CampaignLink' });
export type CampaignLink = z.output<typeof campaignLink>;

const fields = {
  title: z.string().trim().min(1).max(200),
  description: z.string().trim().max(10_000).default(''),
  limitPerUser: z.number().int().min(1).max(MAX_CAMPAIGN_LIMIT).nullable().default(null),
};

export const newCampaign = z.object({
  slug: z.string().max(MAX_SLUG_LENGTH).regex(SLUG, 'lower-case letters, digits and single hyphens only'),
  ...fields,
  shopId: forShop,
  requestId,
});
export type CreateCampaignInput = z.output<typeof newCampaign>;

export const campaignEdit = z
  .strictObject({
    title: fields.title,
    description: fields.description.unwrap(),
    limitPerUser: fields.limitPerUser.unwrap(),
    version: z.number().int().min(1),
  })
  .partial()
  .required({ version: true });
export type EditCampaignInput = z.output<typeof campaignEdit>;

export const campaign = z
  .object({
    campaignId: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    merchantId: z.string(),
    limitPerUser,
    status: z.enum(CAMPAIGN_STATUSES),
    sales: count.describe('How many sales belong to it, drafts included.'),
    version: z.int().describe('What an edit is based on.'),
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.output<typeof campaign>;

const session = z.object({
  saleId: z.string(),
  title: z.string(),
  status: z.enum(SALE_STATUSES),
  startsAt: time,
  endsAt: time,
  total: units,
  held: count,
  sold: count,
  people: count.describe('How many have units of it, held or sold.'),
});

export const campaignView = campaign
  .extend({
    sessions: z.array(session).describe('Its sales, the first start first; at most 200.'),
    sums: z.object({
      total: units,
      held: count,
      sold: count,
      people: count.describe('How many have units of any of them.'),
    }),
  })
  .meta({ id: 'CampaignView' });
export type CampaignView = z.output<typeof campaignView>;
