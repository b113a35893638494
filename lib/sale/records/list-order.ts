import { decodeCursor, encodeCursor } from '@/lib/http/cursor';

/** The groups in the order of the list: sales that run come before those to come, however many these are. */
export const LIST_GROUPS = ['running', 'coming', 'over'] as const;
export type ListGroup = (typeof LIST_GROUPS)[number];

/** A place in the list: directly after this sale. Epoch ms. */
export type ListPlace = { group: ListGroup; startsAt: number; saleId: string };

/** Returns the group of a sale at a moment, epoch ms. */
export function listGroupAt(
  { closed, startsAt, endsAt }: { closed: boolean; startsAt: number; endsAt: number },
  now: number,
): ListGroup {
  if (closed || endsAt <= now) return 'over';
  return startsAt > now ? 'coming' : 'running';
}

/**
 * Tells whether a group is sorted by ascending start. Sales to come begin with the next one; those that run or are
 * over, with the latest start.
 */
export const isAscending = (group: ListGroup): boolean => group === 'coming';

/** Encodes the place after a sale as the cursor of the next page. */
export const listCursor = ({ group, startsAt, saleId }: ListPlace): string =>
  encodeCursor(`${group}:${startsAt}:${saleId}`);

/** Reads a cursor. @returns null, the beginning, for a cursor that isn't ours */
export function parseListCursor(cursor: string): ListPlace | null {
  const [, group, startsAt, saleId = ''] = /^(\w+):(\d{1,15}):(.+)$/.exec(decodeCursor(cursor)) ?? [];
  const known = LIST_GROUPS.find((one) => one === group);
  return known ? { group: known, startsAt: Number(startsAt), saleId } : null;
}
