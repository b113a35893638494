import { z } from 'zod';
import { LIMIT_ALGORITHMS, type SaleLimits } from '@/lib/redis/limit-policy';

const policySchema = z.strictObject({
  algorithm: z.enum(LIMIT_ALGORITHMS),
  limit: z.number().int().min(1).max(1_000_000),
  windowSec: z.number().int().min(1).max(86_400),
});

/** A sale's limits; those that are left out don't limit. No limit at all is null. */
export const limitsSchema = z
  .strictObject({
    user: policySchema.optional(),
    ip: policySchema.optional(),
    interface: policySchema.optional(),
  })
  .nullable()
  .transform((limits): SaleLimits | null => (limits && Object.values(limits).some(Boolean) ? limits : null));
