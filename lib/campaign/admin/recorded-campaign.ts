import type { Campaign } from '@/lib/contract/shapes/campaign';

/** Returns a campaign as the audit log stores it. */
export function recordedCampaign({ campaignId: _, version: _v, sales: _s, ...rest }: Campaign) {
  return rest;
}
