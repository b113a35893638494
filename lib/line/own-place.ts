import 'server-only';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { findEntry } from '@/lib/line/records/find-entry';
import { findLine } from '@/lib/line/records/find-line';
import { isOver } from '@/lib/line/records/is-over';
import { placesOf } from '@/lib/line/records/places';
import { pseudonymOf } from '@/lib/line/records/pseudonym';
import { turnEndsAt, usedTurnEndsAt } from '@/lib/line/records/turn-ends-at';
import type { LineEntry, LineHead } from '@/lib/line/records/types';
import { findLatestOrder } from '@/lib/order/records/find-latest-order';

/** Tells somebody about the own place. @param now epoch ms */
export async function describePlace(line: LineHead, entry: LineEntry, now: number): Promise<OwnPlace> {
  const { number, variant, joinedAt, enteredAt, stoodMs, drawn, userId } = entry;
  // The places of a draw are written down.
  const places = drawn ? null : await placesOf(line);
  const place = drawn?.place ?? places?.placeOf(number) ?? null;
  const isAdmitted = place !== null && place < line.admitted;
  const unusedUntil = isAdmitted ? turnEndsAt(line.steps, place) : null;
  return {
    number,
    variant,
    joinedAt,
    place,
    enteredAt,
    turnEndsAt: enteredAt === null ? unusedUntil : usedTurnEndsAt(line, { enteredAt, stoodMs }),
    isOver: isOver(line, entry, places, now),
    pseudonym: pseudonymOf(line.pseudonymKey, line.saleId, userId),
    draw: drawn && {
      weight: drawn.weight,
      passedOver: drawn.passedOver,
      isFinal: line.isEnlisted,
      orderNo: await findLatestOrder(line.saleId, userId),
    },
  };
}

/** Returns a person's place; null without one. @throws connection errors */
export async function findOwnPlace(saleId: string, userId: string): Promise<OwnPlace | null> {
  const [line, entry] = await Promise.all([findLine(saleId), findEntry(saleId, userId)]);
  return line && entry && describePlace(line, entry, line.readAt);
}
