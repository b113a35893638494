import { createHash } from 'node:crypto';
import { SALE_ID, type World } from '../world';
import type { Violate } from './violate';

/**
 * Checks a line at rest: numbers are contiguous, nobody stands there twice, the seed is the one that was committed to, whoever
 * bought had come in before, and no unit is free while somebody stands there who was not let in.
 */
export function checkLine(world: World, violate: Violate): void {
  const { postgres, stock, kind } = world;
  if (!world.hasLine) return;
  const line = postgres.lines.get(null, SALE_ID);
  if (!line) {
    violate(6, 'the line is gone');
    return;
  }
  const entries = postgres.lineEntries.find(null, () => true).sort((a, b) => a.number - b.number);
  const isGapless = entries.every(({ number }, at) => number === at) && entries.length === line.next_number;
  if (!isGapless) violate(6, `the line has numbers ${entries.map(({ number }) => number)}`);
  if (!createHash('sha256').update(line.seed).digest().equals(line.seed_hash))
    violate(6, 'the seed is not the one that was committed to');
  const standing = entries.filter(({ left_at }) => left_at === null);
  if (new Set(standing.map(({ user_id }) => user_id)).size < standing.length)
    violate(6, 'somebody stands in the line twice');
  if (kind !== 'waiting-room') return;
  for (const { orderNo, userId, acceptedAt } of postgres.orders.find(null, () => true)) {
    const hasEntered = entries.some(
      ({ user_id, entered_at }) =>
        user_id === userId && entered_at !== null && Number(entered_at) <= acceptedAt,
    );
    if (!hasEntered) violate(6, `${userId} bought ${orderNo} without coming in`);
  }
  const { available } = stock.tiers(SALE_ID);
  const waiting = standing.filter(({ number }) => (world.lineWatch?.placeOf(number) ?? 0) >= line.admitted);
  if (available > 0 && waiting.length > 0)
    violate('rest', `${available} units are free while ${waiting.length} stand in the line`);
}
