import { afterAll, describe, expect, it } from 'vitest';
import { verifyLog } from '@/lib/admin/verify/verify-log';
import type { Leaf } from '@/lib/contract/shapes/decision-log';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { enterFromLine } from '@/lib/line/enter-from-line';
import { leaveLine } from '@/lib/line/leave-line';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis } from '@/lib/redis/client';
import { createLineSale } from '@/test/support/line-sale';
import { runDraws } from '../draw/run-draws';
import { createDrawFixture } from '../draw/testing/draw-fixture';
import { releaseUnpaid } from '../order/release-unpaid';
import { drainOutbox } from '../testing/drain-outbox';
import { makeOverdue, readStates } from '../testing/sale-fixture';
import { tendWaitlists } from '../waitlist/tend-waitlists';
import { joinSaleLine } from './join-sale-line';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

async function logged(saleId: string): Promise<Leaf[]> {
  await publishLogs();
  const leaves = await db().decisionLeaf.findMany({ where: { saleId }, orderBy: { index: 'asc' } });
  return leaves.map(({ leaf }) => JSON.parse(leaf) as Leaf);
}
const ofKind = (leaves: readonly Leaf[], kind: Leaf['kind']) => leaves.filter((leaf) => leaf.kind === kind);

/** A waiting room of five: the first two came in, the third left. */
async function waitingRoom() {
  const { saleId, userIds } = await createLineSale({ users: 5, total: 20 });
  for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
  for (const number of [0, 1, 1]) await enterFromLine(saleId, number);
  await leaveLine(saleId, userIds[2] as string);
  return saleId;
}

/** A draw of eight for two units, of which one came back and went to the third. */
async function draw() {
  const { saleId } = await createDrawFixture({ users: 8, total: 2 });
  expect(await runDraws()).toBe(1);
  await drainOutbox(saleId);
  await tendWaitlists();
  const [lapsed = ''] = [...(await readStates(saleId)).keys()];
  await makeOverdue([lapsed]);
  await releaseUnpaid([lapsed]);
  await drainOutbox(saleId);
  await tendWaitlists();
  return saleId;
}

describe('the log of places', () => {
  it('[M4 M1] has whoever came in, once, and whoever left', async () => {
    const saleId = await waitingRoom();
    const leaves = await logged(saleId);
    expect(ofKind(leaves, 'admitted').map(({ detail }) => detail)).toEqual([{ number: 0 }, { number: 1 }]);
    expect(ofKind(leaves, 'given_on').map(({ detail }) => detail)).toEqual([{ number: 2, why: 'left' }]);
    expect(await verifyLog(saleId)).toMatchObject({ ok: true });
  });

  it('[M4 M2] has everybody who waits for a unit, in order, and to whom one was given on', async () => {
    const saleId = await draw();
    const leaves = await logged(saleId);
    const drawn = new Map(ofKind(leaves, 'drawn').map(({ who, detail }) => [detail.place, who]));
    const enlisted = ofKind(leaves, 'enlisted');
    expect(enlisted.map(({ who }) => who)).toEqual([...Array(8).keys()].map((place) => drawn.get(place)));
    expect(ofKind(leaves, 'given_on').map(({ detail }) => detail)).toEqual(
      [1, 2, 3].map((number) => ({ number, why: 'unit' })),
    );
    expect(ofKind(leaves, 'accepted')).toHaveLength(3);
    expect(await verifyLog(saleId)).toMatchObject({ ok: true });
  });

  it.each([
    [
      'lets a friend in',
      waitingRoom,
      'UPDATE line_entries SET entered_at = now() WHERE sale_id = $1 AND number = 4',
      'admitted without a leaf',
    ],
    [
      'lets another in',
      waitingRoom,
      'UPDATE line_entries SET user_id = (SELECT merchant_id FROM sales WHERE id = $1) WHERE sale_id = $1 AND number = 1',
      'admitted is another',
    ],
    [
      'sends somebody out',
      waitingRoom,
      'UPDATE line_entries SET entered_at = NULL WHERE sale_id = $1 AND number = 0',
      '1 who are admitted',
    ],
    [
      'puts a friend ahead of those who wait',
      draw,
      'UPDATE waitlist_entries SET user_id = (SELECT merchant_id FROM sales WHERE id = $1) WHERE sale_id = $1 AND number = 4',
      'enlisted is another',
    ],
    [
      'takes somebody from the waitlist',
      draw,
      'DELETE FROM waitlist_entries WHERE sale_id = $1 AND number = 8',
      '1 who are enlisted',
    ],
    [
      'puts somebody onto it',
      draw,
      "INSERT INTO waitlist_entries (sale_id, number, user_id, jti, order_no) SELECT id, 9, merchant_id, 'jti', 77 FROM sales WHERE id = $1",
      'enlisted without a leaf',
    ],
  ] as const)(
    '[M4] whoever %s afterwards is caught, though all triggers were off',
    async (_, make, change, finding) => {
      const saleId = await make();
      await logged(saleId);
      expect(await verifyLog(saleId)).toMatchObject({ ok: true });
      await db().$transaction(async (tx) => {
        await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
        await tx.$executeRawUnsafe(change.replaceAll('$1', `'${saleId}'`));
      });
      expect(await verifyLog(saleId)).toMatchObject({ ok: false, detail: expect.stringContaining(finding) });
    },
  );
});
