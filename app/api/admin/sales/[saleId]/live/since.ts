import { z } from 'zod';

const sinceSchema = z.object({ since: z.coerce.number().int().min(0).nullable() });

/** Reads `since`: the moment, in epoch ms, up to which the asker has seen everything; null: not asked for. */
export const parseSince = (value: string | null) => sinceSchema.safeParse({ since: value || null });
