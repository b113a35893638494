import 'server-only';
import { db } from '@/lib/db/client';
import type { Places } from './places';
import type { LineHead } from './types';

const LEAST = 200;
const MOST = 5_000;
const ROUNDS = 40;

/**
 * Returns where `admitted` has to rise to so that this many more people may enter: places that were left are passed over,
 * so that they cost nobody time.
 * @param people 1 or more
 */
export async function findNextLive(
  { saleId, admitted, joined }: Pick<LineHead, 'saleId' | 'admitted' | 'joined'>,
  { numberAt }: Places,
  people: number,
): Promise<number> {
  let [at, found] = [admitted, 0];
  for (let round = 0; round < ROUNDS && at < joined && found < people; round += 1) {
    const size = Math.min(joined - at, MOST, Math.max(LEAST, 2 * (people - found)));
    const numbers = Array.from({ length: size }, (_, offset) => numberAt(at + offset));
    const rows = await db().$queryRaw<{ number: number }[]>`
      SELECT number FROM line_entries
      WHERE sale_id = ${saleId} AND number = ANY (${numbers}::int[]) AND left_at IS NULL`;
    const live = new Set(rows.map(({ number }) => number));
    for (const number of numbers) {
      if (found === people) break;
      at += 1;
      if (live.has(number)) found += 1;
    }
  }
  return at;
}
