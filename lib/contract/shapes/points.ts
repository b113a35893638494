import { z } from 'zod';
import { POINTS_KINDS } from '../words/points';
import { pageOf, time } from './common';

const pointsEntry = z.object({
  orderNo: z.string(),
  kind: z.enum(POINTS_KINDS),
  points: z.int(),
  createdAt: time,
});

export const pointsPage = pageOf('entries', pointsEntry).extend({ balance: z.int() });

/** A user's points: the balance, and one page of the entries that led to it. */
export type PointsView = z.output<typeof pointsPage>;
