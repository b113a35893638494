/** The kinds of entries on a user's points account; column `points_entries.kind`. */
export const POINTS_KINDS = ['earned', 'taken_back'] as const;
export type PointsKind = (typeof POINTS_KINDS)[number];
