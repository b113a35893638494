/** A line of takings is about all that was asked for, a day, or a sale. */
export const TAKINGS_BY = ['all', 'day', 'sale'] as const;
export type TakingsBy = (typeof TAKINGS_BY)[number];
