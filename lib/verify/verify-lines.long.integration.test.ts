import { afterAll, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb, db } from '@/lib/db/client';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { forgetLine } from '@/lib/line/records/find-line';
import { leaveLine } from '@/lib/line/records/leave-line';
import { tendLines } from '@/lib/line/tend-lines';
import { closeRedis } from '@/lib/redis/client';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { verifyLines } from './verify-lines';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Makes a line of two dozen that has started and let the first in. */
async function started() {
  const { saleId, userIds } = await createLineSale({ users: 24, total: 8 });
  const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });
  for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
  await leaveLine(saleId, userIds[5] as string);
  await startsIn({ saleId }, 0);
  for (let round = 0; round < 3; round += 1) {
    await tendLines();
    await db()
      .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
  }
  forgetLine(saleId);
  for (const userId of userIds) await issueEntry(saleId, member(userId));
  return saleId;
}

describe('[M1 M4] verify recomputes a waiting room', () => {
  it('finds an honest one right', async () => {
    expect(await verifyLines(await started())).toEqual({
      ok: true,
      detail: '1 waiting rooms, every place where it belongs',
    });
  });

  it.each([
    [
      'somebody is dropped',
      `DELETE FROM line_entries WHERE sale_id = $1 AND number = 3`,
      /numbers were given/,
    ],
    [
      'somebody is inserted before the start',
      `INSERT INTO line_entries (sale_id, user_id, number, nonce, joined_at)
       SELECT sale_id, (SELECT id FROM users ORDER BY id LIMIT 1), 24, nonce, joined_at FROM line_entries WHERE sale_id = $1 AND number = 23`,
      /numbers were given/,
    ],
    [
      'the same, with the count',
      `WITH i AS (INSERT INTO line_entries (sale_id, user_id, number, nonce, joined_at)
       SELECT sale_id, (SELECT id FROM users ORDER BY id LIMIT 1), 24, nonce, joined_at FROM line_entries WHERE sale_id = $1 AND number = 23)
       UPDATE lines SET next_number = 25 WHERE sale_id = $1`,
      /24 counted as early, 25 joined/,
    ],
    [
      'a nonce is exchanged',
      `UPDATE line_entries SET nonce = decode(repeat('00', 16), 'hex') WHERE sale_id = $1 AND number = 2`,
      /digest/,
    ],
    [
      'the seed is exchanged, with its hash',
      `UPDATE lines SET seed = decode(repeat('11', 32), 'hex'), seed_hash = sha256(decode(repeat('11', 32), 'hex')) WHERE sale_id = $1`,
      /out of turn/,
    ],
    [
      'somebody gets in early',
      `UPDATE line_entries SET entered_at = now() WHERE sale_id = $1`,
      /out of turn/,
    ],
    [
      'a late one is made early',
      `UPDATE line_entries SET joined_at = joined_at - interval '1 hour' WHERE sale_id = $1 AND number = 23`,
      /joined before lower ones/,
    ],
  ])('notices that %s', async (_, sql, says) => {
    const saleId = await started();
    await db().$executeRawUnsafe(sql, saleId);
    const { ok, detail } = await verifyLines(saleId);
    expect([ok, detail]).toEqual([false, expect.stringMatching(says)]);
  });
});
