import 'server-only';
import { OutageError } from '@/lib/errors/outage-error';
import { enterFromLine } from '@/lib/line/records/enter-from-line';
import { findEntry } from '@/lib/line/records/find-entry';
import { findLine, readLine } from '@/lib/line/records/find-line';
import { isOver } from '@/lib/line/records/is-over';
import { placesOf } from '@/lib/line/records/places';
import { usedTurnEndsAt } from '@/lib/line/records/turn-ends-at';
import { TOKEN_MS, TURN_MS } from '@/lib/line/records/types';

/** Why somebody's turn is not now. `place` is null before the shuffle. */
export type NotAdmitted =
  | { status: 'not_in_line' | 'turn_over' }
  | { status: 'not_admitted'; place: number | null; ahead: number | null };

/**
 * Uses somebody's turn in a sale's line, if it is now. Entering again within the same two minutes, from wherever, is the
 * same turn.
 * @returns until when the entry token may live, epoch ms; or why not. @throws connection errors
 */
export async function admitFromLine(
  saleId: string,
  userId: string,
): Promise<{ status: 'admitted'; until: number } | NotAdmitted> {
  const [line, entry] = await Promise.all([findLine(saleId), findEntry(saleId, userId)]);
  if (!line) throw new OutageError(`${saleId} has no line yet`);
  if (!entry) return { status: 'not_in_line' };
  const places = await placesOf(line);
  const place = places?.placeOf(entry.number) ?? null;
  // The page may know of an admission that this process has not read yet.
  const isKnown = place !== null && place < line.admitted;
  const latest = isKnown ? line : ((await readLine(saleId)) ?? line);
  const latestPlaces = isKnown ? places : await placesOf(latest);
  const latestPlace = latestPlaces?.placeOf(entry.number) ?? null;
  if (isOver(latest, entry, latestPlaces, latest.readAt)) return { status: 'turn_over' };
  if (latestPlace === null || latestPlace >= latest.admitted) {
    const ahead = latestPlace === null ? null : latestPlace - latest.admitted;
    return { status: 'not_admitted', place: latestPlace, ahead };
  }
  const used = await enterFromLine(saleId, entry.number);
  if (!used) return { status: 'not_in_line' };
  return { status: 'admitted', until: usedTurnEndsAt(latest, used) + TOKEN_MS - TURN_MS };
}
