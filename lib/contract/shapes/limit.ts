import { z } from 'zod';
import { LIMIT_ALGORITHMS, MAX_POLICY } from '../words/limit';

const policy = z.strictObject({
  algorithm: z.enum(LIMIT_ALGORITHMS),
  limit: z.number().int().min(1).max(MAX_POLICY.limit),
  windowSec: z.number().int().min(1).max(MAX_POLICY.windowSec),
});

/** At most `limit` calls in `windowSec`, as the algorithm counts them. */
export type LimitPolicy = z.output<typeof policy>;

export const saleLimits = z.strictObject({
  user: policy.optional(),
  ip: policy.optional(),
  device: policy.optional(),
  interface: policy.optional(),
});

/** How often one user, one address, one device, and all of them together may send requests. A limit that is left out doesn't apply. */
export type SaleLimits = z.output<typeof saleLimits>;

/** A sale's limits as a merchant enters them. No limit at all becomes null. */
export const givenLimits = saleLimits
  .nullable()
  .transform((limits): SaleLimits | null => (limits && Object.values(limits).some(Boolean) ? limits : null));
