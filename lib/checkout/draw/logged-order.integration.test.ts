import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyLog } from '@/lib/admin/verify/verify-log';
import { verifyProofs } from '@/lib/admin/verify/verify-proofs';
import type { Decision } from '@/lib/contract/shapes/decision-log';
import type { LineProof, OrderFile } from '@/lib/contract/shapes/line-proof';
import { closeDb, db } from '@/lib/db/client';
import { checkOrderFile } from '@/lib/decision-log/proof/check-order-file';
import { checkReceipt } from '@/lib/decision-log/proof/check-receipt';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { leaveLine } from '@/lib/line/leave-line';
import { closeRedis } from '@/lib/redis/client';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { signedOrder } from '@/test/support/signed-order';
import { joinSaleLine } from '../line/join-sale-line';
import { findOwnPlace } from '../line/own-place';
import { tendLines } from '../line/tend-lines';
import { readLogReceipt } from '../log/read-log-receipt';
import { readSaleProof } from './read-sale-proof';
import { runDraws } from './run-draws';
import { createDrawFixture } from './testing/draw-fixture';

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

/** A draw of a dozen, carried out and signed. */
async function drawn() {
  const { saleId, userIds } = await createDrawFixture({ users: 12, total: 3, weights: 'level' });
  await runDraws(async () => undefined);
  return { saleId, userIds, file: await signedOrder(saleId) };
}

/** A waiting room of a dozen, shuffled and signed. */
async function shuffled(beaconUrl: string | null = null) {
  const { saleId, userIds } = await createLineSale({ users: 12, total: 3 });
  for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
  await startsIn({ saleId }, 0);
  await tendLines(beaconUrl);
  return { saleId, userIds, file: await signedOrder(saleId) };
}

describe.each([
  ['draw', drawn],
  ['line', shuffled],
] as const)('the order of a %s in the log', (kind, make) => {
  it('[M4] is bound by a signed list, by the commitment before, and by everybody who joined', async () => {
    const { saleId, userIds, file } = await make();
    expect(await checkOrderFile(JSON.stringify(file))).toMatchObject({ ok: true });
    expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
    expect(await verifyLog(saleId)).toMatchObject({ ok: true });
    const rows = await db().$queryRaw<{ leaf: string }[]>`
      SELECT leaf FROM decision_leaves WHERE sale_id = ${saleId} ORDER BY index`;
    const kinds = rows.map(({ leaf }) => JSON.parse(leaf).kind as string);
    expect(kinds[0]).toBe('committed');
    const count = (name: string) => kinds.filter((other) => other === name).length;
    expect([count('committed'), count('entered'), count('placed')]).toEqual([1, 12, 1]);
    expect(count('drawn')).toBe(kind === 'draw' ? 12 : 0);
    // A person's receipt and entry have one name, and the receipt has what concerns everybody, too.
    const receipt = await readLogReceipt(saleId, userIds[4] as string);
    const checked = await checkReceipt(JSON.stringify(receipt));
    if (!checked.ok) throw new Error(checked.fault);
    const entered = checked.decisions.find(({ leaf }) => leaf.kind === 'entered')?.leaf;
    const own = await findOwnPlace(saleId, userIds[4] as string);
    expect(entered?.who).toBe(own?.pseudonym);
    expect(file.entries.find(({ pseudonym }) => pseudonym === entered?.who)).toMatchObject(
      entered?.detail ?? {},
    );
    expect(checked.decisions.map(({ leaf }) => leaf.kind)).toEqual(
      expect.arrayContaining(['committed', 'placed']),
    );
  });

  it('[M4] shows whoever changes, moves, puts in or drops somebody in the list', async () => {
    const { file } = await make();
    const [first, second, ...rest] = file.entries as [Entry, Entry, ...Entry[]];
    const friend = { ...first, number: 12, place: 12, pseudonym: 'A'.repeat(43), nonce: 'ab'.repeat(16) };
    const faults: Record<string, Partial<OrderFile>> = {
      order_changed: {
        entries: [{ ...first, place: second.place }, { ...second, place: first.place }, ...rest],
      },
      entries_changed: { entries: [first, ...rest] },
      nonces_changed: { entries: [...file.entries, friend], shuffle: { ...file.shuffle, count: 13 } },
      seed_changed: { shuffle: { ...file.shuffle, seed: 'cd'.repeat(32) } },
      list_changed: { entries: [{ ...first, pseudonym: friend.pseudonym }, second, ...rest] },
      other_order: { shuffle: { ...file.shuffle, beaconUrl: 'https://beacon.example' } },
      not_committed: { signed: { ...file.signed, leaves: file.signed.leaves.slice(1) } },
      not_in_log: { signed: { ...file.signed, leaves: [...file.signed.leaves].reverse() } },
      bad_signature: { signed: { ...file.signed, head: { ...file.signed.head, at: 1 } } },
      not_a_list: { entries: [{ ...first, nonce: 'x' }] },
    };
    for (const [fault, change] of Object.entries(faults))
      expect(await checkOrderFile(JSON.stringify({ ...file, ...change })), fault).toMatchObject({
        ok: false,
        fault,
      });
    const heavier = { ...first, weight: first.weight + 1 };
    expect(
      await checkOrderFile(JSON.stringify({ ...file, entries: [heavier, second, ...rest] })),
    ).toMatchObject({
      ok: false,
    });
    expect(await checkOrderFile('nonsense')).toMatchObject({ ok: false, fault: 'not_a_list' });
  });

  it.each([
    [
      'another user',
      `UPDATE line_entries SET user_id = $2 WHERE sale_id = $1 AND number = 3`,
      'list_changed',
    ],
    [
      'a new seed, with its hash',
      `UPDATE lines SET seed = sha256('x'), seed_hash = sha256(sha256('x')) WHERE sale_id = $1`,
      kind === 'draw' ? 'order_changed' : 'not_committed',
    ],
    [
      'a dropped entrant, with digest and count',
      `WITH e AS (DELETE FROM line_entries WHERE sale_id = $1 AND number = 11)
       UPDATE lines SET early = 11, next_number = 11, nonces_digest = (SELECT sha256('seckill nonces 1'::bytea || '\\x00'::bytea
         || string_agg(nonce, ''::bytea ORDER BY number)) FROM line_entries WHERE sale_id = $1 AND number < 11) WHERE sale_id = $1`,
      kind === 'draw' ? 'order_changed' : 'other_order',
    ],
  ])('[M4] verify catches %s', async (_, sql, problem) => {
    const { saleId } = await make();
    const [stranger] = await db().$queryRaw<{ id: string }[]>`
      SELECT id FROM users WHERE NOT EXISTS (SELECT FROM line_entries WHERE sale_id = ${saleId} AND user_id = users.id) LIMIT 1`;
    await db().$executeRawUnsafe(sql, saleId, ...(sql.includes('$2') ? [stranger?.id] : []));
    expect(await verifyProofs(saleId)).toMatchObject({ ok: false, detail: expect.stringContaining(problem) });
  });
});

type Entry = OrderFile['entries'][number];

it('[M4] verify catches a second history of one line, and leaves that name another entrant', async () => {
  const { saleId } = await drawn();
  const copy = async (kind: string, change = '') => {
    await db().$executeRawUnsafe(
      `INSERT INTO decision_batches (sale_id, decisions)
       SELECT '${saleId}', json_build_array(json_build_object('kind', '${kind}', 'at', 1, 'detail', (leaf::jsonb -> 'detail') ${change}))
       FROM decision_leaves WHERE sale_id = '${saleId}' AND leaf LIKE '%"kind":"${kind}"%'`,
    );
  };
  await copy('placed', `|| '{"count": 11}'`);
  expect(await verifyProofs(saleId)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('two_histories'),
  });
  await db().$executeRaw`DELETE FROM decision_batches WHERE sale_id = ${saleId}`;
  expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
  await db().$executeRaw`
    INSERT INTO decision_batches (sale_id, decisions)
    VALUES (${saleId}, '[{"kind":"entered","at":1,"user":"somebody","detail":{"number":12,"nonce":"00"}}]')`;
  expect(await verifyProofs(saleId)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('dropped at number 12'),
  });
});

it('[M4] a rule of the weights that is changed after the publication is logged, and the draw is not good', async () => {
  const { saleId } = await createDrawFixture({ users: 3 });
  await db()
    .$executeRaw`UPDATE users SET level = 5 WHERE id IN (SELECT user_id FROM line_entries WHERE sale_id = ${saleId})`;
  await db().$executeRaw`UPDATE sales SET draw_weights = 'level', version = version + 1 WHERE id = ${saleId}`;
  await runDraws(async () => undefined);
  expect(await verifyProofs(saleId)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('two_histories'),
  });
});

it('[M2 M4] logs a place that is left, a unit that went to the next, and who was passed over', async () => {
  const { saleId, userIds } = await createLineSale({ users: 3 });
  for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
  await leaveLine(saleId, userIds[1] as string);
  await leaveLine(saleId, userIds[1] as string);
  await db().$executeRaw`
    INSERT INTO waitlist_entries (sale_id, number, user_id, jti, order_no)
    SELECT ${saleId}, at, user_id, ${saleId} || at, abs(hashtextextended(${saleId} || at, 0)) FROM unnest(${userIds}::text[]) WITH ORDINALITY AS u (user_id, at)`;
  await db()
    .$executeRaw`UPDATE waitlist_entries SET given_at = now() WHERE sale_id = ${saleId} AND number = 1`;
  await db()
    .$executeRaw`UPDATE waitlist_entries SET passed_at = now() WHERE sale_id = ${saleId} AND number = 2`;
  const rows = await db().$queryRaw<{ decision: Decision }[]>`
    SELECT json_array_elements(decisions) AS decision FROM decision_batches WHERE sale_id = ${saleId} ORDER BY logged_at`;
  const given = rows.flatMap(({ decision }) => (decision.kind === 'given_on' ? [decision] : []));
  expect(given.map(({ user, detail, order }) => [user, detail, order !== undefined])).toEqual([
    [userIds[1], { number: 1, why: 'left' }, false],
    [userIds[0], { number: 1, why: 'unit' }, true],
    [userIds[1], { number: 2, why: 'passed_over' }, false],
  ]);
  await publishLogs();
  expect(await verifyLog(saleId)).toMatchObject({ ok: true });
});

it('[M1 M4] a waiting room mixes in a beacon, and opens without one that tells nothing', async () => {
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
    for (const path of ['live', 'dead']) {
      const beaconUrl = `http://127.0.0.1:${port}/${path}`;
      const { saleId, file } = await shuffled(beaconUrl);
      const beacon = path === 'live' ? expect.stringMatching(new RegExp(`^\\d+:${randomness}$`)) : null;
      expect(file.shuffle).toMatchObject({ beaconUrl, beacon });
      expect(await checkOrderFile(JSON.stringify(file))).toMatchObject({ ok: true });
      expect(((await readSaleProof(saleId, 0)) as LineProof).shuffle?.count).toBe(12);
    }
  } finally {
    server.close();
  }
});
