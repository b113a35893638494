import { wholeOrOff } from './kinds';
import { SHOP, tell } from './tell';

const MAX_KEPT_DAYS = 3_650;

/** How long is kept what is needed for a while only; `off`: for ever ([050](decisions/050-retention.md)). */
export const retentionSettings = {
  // A payment may come a week after its order.
  KEEP_MARKS_DAYS: tell(wholeOrOff(8, MAX_KEPT_DAYS).optional(), {
    says: 'Days after which a mark of a processed message may go; `off`: never ([what else goes when](decisions/050-retention.md)).',
    usedBy: SHOP,
    unset: '30',
  }),
  KEEP_NOTICES_DAYS: tell(wholeOrOff(30, MAX_KEPT_DAYS).optional(), {
    says: "Days after which shoppers' notices go; `off`: never.",
    usedBy: SHOP,
    unset: '365',
  }),
  KEEP_RISK_HITS_DAYS: tell(wholeOrOff(8, MAX_KEPT_DAYS).optional(), {
    says: 'Days after which hits of risk rules go; `off`: never.',
    usedBy: SHOP,
    unset: '90',
  }),
};
