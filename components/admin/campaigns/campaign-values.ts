import { MAX_CAMPAIGN_LIMIT } from '@/lib/contract/words/campaign';
import { MAX_SLUG_LENGTH, SLUG } from '@/lib/contract/words/product';
import { wholeNumber } from '../sales/number-settings';

/** The form's fields as the user typed them; an empty limit: none. */
export type CampaignValues = {
  title: string;
  slug: string;
  description: string;
  limit: string;
  /** The shop of a new one; empty: the first one offered. */
  shopId: string;
};

type CampaignProblem = 'required' | 'slugInvalid' | 'slugTaken' | 'limitInvalid';
export type CampaignProblems = Partial<Record<keyof CampaignValues, CampaignProblem>>;

/** Returns the limit that the field stands for; null: none. */
export const toLimit = (text: string): number | null => (text.trim() === '' ? null : wholeNumber(text));

/** Finds what is wrong with the form, by field, before anything is sent. */
export function checkCampaign(values: CampaignValues): CampaignProblems {
  const limit = toLimit(values.limit);
  const isLimit = limit !== null && limit >= 1 && limit <= MAX_CAMPAIGN_LIMIT;
  return {
    ...(values.title.trim() ? {} : { title: 'required' as const }),
    ...(SLUG.test(values.slug) && values.slug.length <= MAX_SLUG_LENGTH
      ? {}
      : { slug: 'slugInvalid' as const }),
    ...(values.limit.trim() === '' || isLimit ? {} : { limit: 'limitInvalid' as const }),
  };
}
