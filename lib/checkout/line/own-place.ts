import 'server-only';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { findEntry } from '@/lib/line/find-entry';
import { findLine } from '@/lib/line/find-line';
import { isOver } from '@/lib/line/is-over';
import { placesOf } from '@/lib/line/places';
import { turnEndsAt } from '@/lib/line/turn-ends-at';
import { type LineEntry, type LineHead, TURN_MS } from '@/lib/line/types';

/** Tells somebody about the own place. @param now epoch ms */
export async function describePlace(line: LineHead, entry: LineEntry, now: number): Promise<OwnPlace> {
  const places = await placesOf(line);
  const place = places?.placeOf(entry.number) ?? null;
  const { number, joinedAt, enteredAt } = entry;
  const isAdmitted = place !== null && place < line.admitted;
  const unusedUntil = isAdmitted ? turnEndsAt(line.steps, place) : null;
  return {
    number,
    joinedAt,
    place,
    enteredAt,
    turnEndsAt: enteredAt === null ? unusedUntil : enteredAt + TURN_MS,
    isOver: isOver(line, entry, places, now),
  };
}

/** Returns somebody's place; null for whoever is not in the line. @throws connection errors */
export async function findOwnPlace(saleId: string, userId: string): Promise<OwnPlace | null> {
  const [line, entry] = await Promise.all([findLine(saleId), findEntry(saleId, userId)]);
  return line && entry && describePlace(line, entry, line.readAt);
}
