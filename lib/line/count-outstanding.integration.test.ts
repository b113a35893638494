import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createLineSale } from '@/test/support/line-sale';
import { countOutstanding } from './count-outstanding';
import { enterFromLine } from './enter-from-line';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const PEOPLE = 150;
/** Reading so many numbers takes longer than reading who has entered, which once let somebody slip through between both. */
const ADMITTED = 40_000;
const IN_TURN = { numberAt: (place: number) => place, placeOf: (number: number) => number };

it('[M1] counts whoever enters while it counts: so many are let in and have not bought', async () => {
  const { saleId, userIds } = await createLineSale({ users: PEOPLE, total: PEOPLE });
  await db().$executeRaw`
    INSERT INTO line_entries (sale_id, number, user_id, nonce, joined_at)
    SELECT ${saleId}, nth - 1, user_id, decode(repeat('00', 16), 'hex'), now()
    FROM unnest(${userIds}::text[]) WITH ORDINALITY AS u (user_id, nth)`;
  const head = { saleId, admitted: ADMITTED, lapsed: 0 };
  const counts: number[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    // However slow the machine is, nobody's time to buy runs out.
    await db().$executeRaw`
      UPDATE line_entries SET entered_at = now() WHERE sale_id = ${saleId} AND entered_at IS NOT NULL`;
    const entering = new Promise((resolve) => setTimeout(resolve, (number % 10) * 2)).then(() =>
      enterFromLine(saleId, number),
    );
    const [count] = await Promise.all([countOutstanding(head, IN_TURN), entering]);
    counts.push(count);
  }
  expect(Math.min(...counts)).toBe(PEOPLE);
});
