import { area } from '../operation';
import { campaign, campaignEdit, campaignView, newCampaign } from '../shapes/campaign';
import { page, pageOf } from '../shapes/common';

export const adminCampaigns = area(
  'Admin: campaigns',
  'Sales under one address, with one limit per person. Merchants see and change their own.',
);
const { operation } = adminCampaigns;

/** A description of 10,000 characters exceeds the 16 KiB that other operations allow. */
const MAX_BYTES = 64 * 1024;

export const listCampaigns = operation('GET /api/admin/campaigns', {
  who: 'seeAdmin',
  says: 'Campaigns, newest first.',
  query: page,
  answers: { 200: pageOf('campaigns', campaign) },
});

export const createCampaign = operation('POST /api/admin/campaigns', {
  who: 'manageSales',
  says: 'A campaign of a shop. Shoppers see it once a sale of it is published.',
  body: newCampaign,
  maxBytes: MAX_BYTES,
  answers: { 201: campaign },
  errors: ['SLUG_TAKEN', 'CREATED_OTHERWISE', 'SHOP_NOT_FOUND'],
});

export const readAdminCampaign = operation('GET /api/admin/campaigns/{campaignId}', {
  who: 'seeAdmin',
  says: 'A campaign with its sales and what they have sold.',
  answers: { 200: campaignView },
  errors: ['CAMPAIGN_NOT_FOUND'],
});

export const editCampaign = operation('PATCH /api/admin/campaigns/{campaignId}', {
  who: 'manageSales',
  says: 'Changes what is given, based on the version last seen. Once a sale of it is published, its limit can only rise.',
  body: campaignEdit,
  maxBytes: MAX_BYTES,
  answers: { 200: campaign },
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_LIMIT_FIXED', 'VERSION_CONFLICT'],
});

export const archiveCampaign = operation('POST /api/admin/campaigns/{campaignId}/archive', {
  who: 'manageSales',
  says: 'No sale joins it any more, and none of it can be published. Not while one runs or is to come.',
  answers: { 200: campaign },
  errors: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_IN_USE'],
});

export const reopenCampaign = operation('POST /api/admin/campaigns/{campaignId}/reopen', {
  who: 'manageSales',
  says: 'Undoes the archiving.',
  answers: { 200: campaign },
  errors: ['CAMPAIGN_NOT_FOUND'],
});
