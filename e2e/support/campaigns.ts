import { expect } from '@playwright/test';
import { demoMerchant, unique } from './accounts';

export type Campaign = { campaignId: string; slug: string; title: string; version: number };

/** Makes a campaign of the demo's merchant; without a limit unless `options` say otherwise. */
export async function newCampaign(
  options: { title?: string; limitPerUser?: number | null; description?: string } = {},
): Promise<Campaign> {
  const name = `Test campaign ${unique()}`;
  const input = { slug: name.toLowerCase().replaceAll(' ', '-'), title: name, ...options };
  const answer = await (await demoMerchant()).post('/api/admin/campaigns', input);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Campaign;
}
