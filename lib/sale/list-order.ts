import { decodeCursor, encodeCursor } from '@/lib/http/cursor';

/** In the order they are listed: what can be bought comes before what is to come, however much of that there is. */
export const LIST_GROUPS = ['running', 'coming', 'over'] as const;
export type ListGroup = (typeof LIST_GROUPS)[number];

/** A place in the list: behind this sale. Epoch ms. */
export type ListPlace = { group: ListGroup; startsAt: number; saleId: string };

/** Which group a sale is in at a moment, epoch ms. */
export function listGroupAt(
  { closed, startsAt, endsAt }: { closed: boolean; startsAt: number; endsAt: number },
  now: number,
): ListGroup {
  if (closed || endsAt <= now) return 'over';
  return startsAt > now ? 'coming' : 'running';
}

/** What is to come begins with the next one; what runs or is over, with the latest start. */
export const isAscending = (group: ListGroup): boolean => group === 'coming';

/** The place behind a sale, as the next page is asked for. */
export const listCursor = ({ group, startsAt, saleId }: ListPlace): string =>
  encodeCursor(`${group}:${startsAt}:${saleId}`);

/** @returns null, the beginning, for a cursor that isn't ours */
export function parseListCursor(cursor: string): ListPlace | null {
  const [, group, startsAt, saleId = ''] = /^(\w+):(\d{1,15}):(.+)$/.exec(decodeCursor(cursor)) ?? [];
  const known = LIST_GROUPS.find((one) => one === group);
  return known ? { group: known, startsAt: Number(startsAt), saleId } : null;
}
