import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { roundAfter } from '@/lib/beacon/round-after';
import { PROOF_PAGE } from '@/lib/contract/shapes/line-proof';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { findOwnPlace } from '@/lib/line/own-place';
import { readProof } from '@/lib/line/records/read-proof';
import { purchase } from '@/lib/purchase/purchase';
import { closeRedis } from '@/lib/redis/client';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { checkOrder, type ProvenEntry } from '@/lib/shuffle/check-order';
import { verifyProofs } from '@/lib/verify/verify-proofs';
import { decideDraw } from './decide-draw';
import { readSaleProof } from './read-sale-proof';
import { runDraws } from './run-draws';
import { createDrawFixture } from './testing/draw-fixture';

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

const nobody = async () => undefined;

async function readAll(saleId: string) {
  const entries: ProvenEntry[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = await readProof({ saleId, admission: 'draw' }, from);
    if (!page?.shuffle) throw new Error('no proof');
    entries.push(...page.entries);
    if (page.next === null) return { ...page.shuffle, seedHash: page.seedHash, entries };
    from = page.next;
  }
  throw new Error('no end');
}

it('[M4] publishes the hash of the seed before the draw, and all that the order follows from after it', async () => {
  const { saleId, userIds } = await createDrawFixture({ users: 2 * PROOF_PAGE + 5, weights: 'level' });
  const before = await readSaleProof(saleId, 0);
  if (typeof before === 'string') throw new Error(before);
  expect(before).toMatchObject({ admission: 'draw', shuffle: null, entries: [], next: null });
  expect(JSON.stringify(before)).not.toContain(
    Buffer.from((await db().line.findUniqueOrThrow({ where: { saleId } })).seed).toString('hex'),
  );
  expect(await runDraws(nobody)).toBe(1);
  const proof = await readAll(saleId);
  expect(proof.entries).toHaveLength(2 * PROOF_PAGE + 5);
  expect(await checkOrder(proof, before.seedHash)).toEqual({ ok: true, entrants: 2 * PROOF_PAGE + 5 });
  // The list shows nobody's identity, and everybody finds their own entry.
  const published = JSON.stringify(proof);
  expect(userIds.some((userId) => published.includes(userId))).toBe(false);
  const own = await findOwnPlace(saleId, userIds[7] as string);
  expect(proof.entries.find(({ pseudonym }) => pseudonym === own?.pseudonym)).toMatchObject({
    number: 7,
    place: own?.place,
    weight: own?.draw?.weight,
  });
  expect(await readSaleProof(saleId, 1_000_000)).toMatchObject({ entries: [], next: null });
  expect(await readSaleProof('sale_unknown', 0)).toBe('SALE_NOT_FOUND');
});

it('[M4] a public value of after the close goes in; where there is none, the list says that it was asked for', async () => {
  const randomness = 'ab'.repeat(32);
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/dead')) return void response.destroy();
    response.end(
      JSON.stringify(
        url.endsWith('/info')
          ? { period: 1, genesis_time: 1_000 }
          : { round: Number(url.split('/').at(-1)), randomness },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const [path, told] of [
      ['live', true],
      ['dead', false],
    ] as const) {
      const beaconUrl = `http://127.0.0.1:${port}/${path}`;
      const { saleId } = await createDrawFixture({ users: 20 });
      const sale = await findSaleInfo(saleId);
      if (!sale) throw new Error('no sale');
      const { round } = roundAfter({ genesisSec: 1_000, periodSec: 1 }, sale.startsAt);
      expect(await decideDraw(sale, sale.startsAt, beaconUrl)).toBe(true);
      const proof = await readAll(saleId);
      expect(proof).toMatchObject({ beaconUrl, beacon: told ? `${round}:${randomness}` : null });
      expect(await checkOrder(proof)).toMatchObject({ ok: true });
    }
  } finally {
    server.close();
  }
});

it('[M4] the same person has another pseudonym in another sale', async () => {
  const [one, other] = [await createDrawFixture({ users: 1 }), await createDrawFixture({ users: 0 })];
  const [userId = ''] = one.userIds;
  await db().$executeRaw`
    INSERT INTO line_entries (sale_id, user_id, number, nonce, joined_at)
    VALUES (${other.saleId}, ${userId}, 0, decode(md5('x'), 'hex'), now())`;
  await db().$executeRaw`UPDATE lines SET next_number = 1 WHERE sale_id = ${other.saleId}`;
  const [here, there] = [await findOwnPlace(one.saleId, userId), await findOwnPlace(other.saleId, userId)];
  expect(here?.pseudonym).toMatch(/^[\w-]{22}$/);
  expect(there?.pseudonym).not.toBe(here?.pseudonym);
});

it('[M4] verify catches whoever changes a draw afterwards, each in its own way', async () => {
  const { saleId } = await createDrawFixture({ users: 30, weights: 'level' });
  expect(await runDraws(nobody)).toBe(1);
  expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
  const tamper = async (change: string, back: string, problem: string) => {
    await db().$executeRawUnsafe(change.replaceAll('$sale', `'${saleId}'`));
    expect(await verifyProofs(saleId), change).toMatchObject({
      ok: false,
      detail: expect.stringContaining(problem),
    });
    await db().$executeRawUnsafe(back.replaceAll('$sale', `'${saleId}'`));
  };
  const swap = `UPDATE line_entries SET place = 1000 + place WHERE sale_id = $sale AND place < 2;`;
  await db().$executeRawUnsafe(swap.replaceAll('$sale', `'${saleId}'`));
  await tamper(
    'UPDATE line_entries SET place = 1001 - place WHERE sale_id = $sale AND place >= 1000',
    'UPDATE line_entries SET place = 1000 + 1 - place WHERE sale_id = $sale AND place < 2',
    'order_changed',
  );
  await db().$executeRawUnsafe(
    `UPDATE line_entries SET place = place - 1000 WHERE sale_id = '${saleId}' AND place >= 1000`,
  );
  expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
  await tamper(
    "UPDATE line_entries SET nonce = nonce || ''::bytea, number = 500 WHERE sale_id = $sale AND number = 3",
    'UPDATE line_entries SET number = 3 WHERE sale_id = $sale AND number = 500',
    'entries_changed',
  );
  await tamper(
    'UPDATE line_entries SET nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) WHERE sale_id = $sale AND number = 3',
    'UPDATE line_entries SET nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) WHERE sale_id = $sale AND number = 3',
    'nonces_changed',
  );
  await tamper(
    'UPDATE line_entries SET weight = weight + 60 WHERE sale_id = $sale AND number = 3',
    'UPDATE line_entries SET weight = weight - 60 WHERE sale_id = $sale AND number = 3',
    'order_changed',
  );
  await tamper(
    "UPDATE lines SET beacon = '1:00' WHERE sale_id = $sale",
    'UPDATE lines SET beacon = NULL WHERE sale_id = $sale',
    'order_changed',
  );
  expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
});

it('[M4] nobody slips in by the way of a purchase: no entry, and no purchase with any token', async () => {
  const { saleId, gate, userIds } = await createDrawFixture({ users: 1 });
  const [userId = ''] = userIds;
  expect(await issueEntry(saleId, { userId, level: 9, device: '' })).toEqual({ status: 'draw_only' });
  const token = signEntryToken({
    userId,
    saleId,
    level: 9,
    jti: newId('jti'),
    expiresAt: Date.now() + 60_000,
    device: '',
    session: '',
  });
  for (const entryToken of [token, 'nonsense', null]) {
    const reply = await purchase({ saleId, gate, entryToken, body: '' });
    expect(reply.status).toBe(409);
    expect(JSON.parse(String(reply.body))).toMatchObject({ code: 'DRAW_ONLY' });
  }
});
