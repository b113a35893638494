import { z } from 'zod';
import { time } from './common';

/** The result of an entry: a token for one purchase. */
export const entryGrant = z.object({ entryToken: z.string(), expiresAt: time });
export type EntryGrant = z.output<typeof entryGrant>;
