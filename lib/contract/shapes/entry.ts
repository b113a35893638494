import { z } from 'zod';
import { time } from './common';

/** What the client gets for an entry: a token for one purchase. */
export const entryGrant = z.object({ entryToken: z.string(), expiresAt: time });
export type EntryGrant = z.output<typeof entryGrant>;
