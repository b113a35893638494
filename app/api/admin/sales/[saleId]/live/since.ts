import { z } from 'zod';

export const sinceSchema = z.object({ since: z.coerce.number().int().min(0).optional() });

/** Reads `since`: the moment, in epoch ms, up to which the asker has seen everything. */
export const parseSince = (value: string | null) => sinceSchema.safeParse({ since: value || undefined });
