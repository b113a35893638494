import { z } from 'zod';
import { POINTS_KINDS } from '../words/points';
import { pageOf, time } from './common';
import { levelRule } from './level';

const pointsEntry = z.object({
  orderNo: z.string(),
  kind: z.enum(POINTS_KINDS),
  points: z.int(),
  createdAt: time,
});

export const pointsPage = pageOf('entries', pointsEntry).extend({
  balance: z.int(),
  level: z.int().describe('The one that counts: earned by points or given, whichever is higher.'),
  levelUntil: time.nullable().describe('When it ends; null: it does not, or it is earned.'),
  levels: z.array(levelRule).describe('What points are worth here, the lowest level first.'),
});

/** A user's points: the balance, and one page of the entries that led to it. */
export type PointsView = z.output<typeof pointsPage>;
