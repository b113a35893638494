import { z } from 'zod';
import type { SaleFields } from './sale-edits';

type Window = Pick<SaleFields, 'startsAt' | 'endsAt'>;

/**
 * Returns why a sale that has not started can't be moved there: the first field that is wrong, with the reason.
 * @param given the moments that the edit names; @param now epoch ms
 */
export function refuseWindow(given: Partial<Window>, { startsAt, endsAt }: Window, now: number) {
  const wrong = (path: keyof Window, message: string) =>
    new z.ZodError([{ code: 'custom', path: [path], message, input: given[path] }]);
  if (startsAt <= now) return wrong('startsAt', 'must be in the future');
  if (endsAt > startsAt) return null;
  return given.endsAt === undefined
    ? wrong('startsAt', 'must be before endsAt: move the end as well')
    : wrong('endsAt', 'must be after startsAt');
}

/**
 * Moves what hangs on a sale's start along with it. The entry and the reservations keep their distance from the start;
 * what has happened by now stays: nobody who came in has to come again.
 * @param now epoch ms
 */
export function followStart(
  sale: Pick<SaleFields, 'startsAt' | 'entryOpensAt' | 'reservation'>,
  startsAt: number,
  now: number,
): Pick<SaleFields, 'startsAt' | 'entryOpensAt' | 'reservation'> {
  const moved = (at: number) => (at <= now ? at : at + startsAt - sale.startsAt);
  const { entryOpensAt, reservation } = sale;
  return {
    startsAt,
    entryOpensAt: Math.max(0, moved(entryOpensAt)),
    reservation: reservation && {
      opensAt: Math.max(0, moved(reservation.opensAt)),
      // A start that comes earlier may close them at once, but not before they opened.
      closesAt:
        reservation.closesAt <= now ? reservation.closesAt : Math.max(now + 1, moved(reservation.closesAt)),
    },
  };
}
