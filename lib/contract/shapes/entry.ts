import { z } from 'zod';
import { time } from './common';

/** What an entry gives: the token that buys, once. */
export const entryGrant = z.object({ entryToken: z.string(), expiresAt: time });
export type EntryGrant = z.output<typeof entryGrant>;
