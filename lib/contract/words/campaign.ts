/** The most units that a campaign may allow one person over all its sales. */
export const MAX_CAMPAIGN_LIMIT = 1_000;

/** `archived`: no sale joins it any more, and none of it can be published. */
export const CAMPAIGN_STATUSES = ['open', 'archived'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
