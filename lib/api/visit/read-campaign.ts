import { readCampaign } from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { answerCampaign } from '@/lib/sale/answer-campaign';
import { bind } from '../bind';

/** Answers with a campaign and its sales. */
export const servedCampaign = bind(readCampaign, async (_request, { slug }) =>
  toResponse(await answerCampaign(slug)),
);
