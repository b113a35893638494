import { afterAll, expect, it } from 'vitest';
import * as shares from '@/lib/campaign/allowance-ledger';
import { createSplitSale } from '@/lib/checkout/slices/testing/split-sale';
import { closeDb, type Db, db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { closeRedis } from '@/lib/redis/client';
import * as ledger from '@/lib/sale/slice-ledger';
import { makeCampaign } from '@/test/support/make-campaign';
import { createRandom } from '@/tools/harness/random';
import { simulatedVerbs } from '../testing/lifecycle-verbs';
import { mirrorSale } from '../testing/mirror-sale';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HISTORIES = 6;
const STEPS = 60;
const SLICES = 3;

type Work = (tx: Db) => Promise<unknown>;

/** Runs the same work in a transaction of each Postgres and compares the answers; a failure by its SQLSTATE. */
async function compare(clients: readonly Db[], trail: string[], what: string, work: Work): Promise<unknown> {
  trail.push(what);
  const answers: unknown[] = [];
  for (const client of clients) {
    const answer = client
      .$transaction((tx) => work(tx as Db))
      .catch((error: unknown) => ({ failed: sqlState(error) }));
    answers.push(plain(await answer));
  }
  expect({ trail, answer: answers[1] }).toEqual({ trail, answer: answers[0] });
  return answers[0];
}

it('[M10] the simulated ledger of a split sale answers as the one in a real Postgres', async () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const sale = await createSplitSale({ slices: SLICES, total: 12 });
    const { saleId } = sale;
    await db().$executeRaw`DELETE FROM sale_slices WHERE sale_id = ${saleId}`;
    const { verbs, store } = simulatedVerbs();
    await mirrorSale(store, sale);
    const clients = [db(), verbs.db()];
    const trail: string[] = [];
    const run = (what: string, work: Work) => compare(clients, trail, `${seed}: ${what}`, work);
    // Both sides take the numbers of their parcels from here.
    let number = Math.floor(Math.random() * 2 ** 40) * 1_000;
    const parcels: number[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const [giver, receiver] = [random.int(0, SLICES - 1), random.int(0, SLICES - 1)];
      const units = random.int(1, 3);
      await random.pick<() => Promise<unknown>>([
        () => run('deal', (tx) => ledger.dealLedger(tx, saleId, [4, 4, 4])),
        () => run('lock', async (tx) => withoutNumbers(await ledger.lockLedger(tx, saleId, 250))),
        () => run('read', (tx) => ledger.readLedger(tx, saleId)),
        () => {
          number += 1;
          parcels.push(number);
          const [from, to] = [random.chance(0.9) ? giver : null, random.chance(0.9) ? receiver : null];
          const parcel = { number, giver: from, receiver: from === to ? (giver + 1) % SLICES : to, units };
          return run(`move ${JSON.stringify(parcel)}`, (tx) => ledger.moveInLedger(tx, saleId, [parcel]));
        },
        () =>
          run('redeal', (tx) =>
            ledger.redealLedger(tx, saleId, { giver, receiver: (giver + 1) % SLICES, units }),
          ),
        () =>
          run(`write off ${units} of ${giver}`, (tx) => ledger.writeOffInLedger(tx, saleId, giver, units)),
        () => {
          const gone = parcels.splice(0, random.int(0, 2));
          return run('end', (tx) => ledger.endInLedger(tx, gone));
        },
      ])();
      await run('state', (tx) => ledger.readLedger(tx, saleId));
    }
  }
});

it('[M10] a ledger that others keep locked is given up in time, on both', async () => {
  const sale = await createSplitSale({ slices: SLICES });
  const { verbs, store } = simulatedVerbs();
  await mirrorSale(store, sale);
  await verbs.db().$transaction((tx) => ledger.dealLedger(tx as Db, sale.saleId, [4, 3, 3]));
  for (const client of [db(), verbs.db()]) {
    await client.$transaction(async (first) => {
      await ledger.lockLedger(first as Db, sale.saleId);
      const second = client.$transaction((tx) => ledger.lockLedger(tx as Db, sale.saleId, 50));
      expect(sqlState(await second.catch((error: unknown) => error))).toBe('55P03');
    });
  }
});

it('[A8] the simulated shares of a campaign’s limit answer as those in a real Postgres', async () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const { campaign, sales } = await makeCampaign(3, [{}, {}]);
    const { campaignId } = campaign;
    const { verbs, store } = simulatedVerbs();
    store.campaigns.cell(campaignId).committed = { id: campaignId, limitPerUser: 3 };
    for (const { saleId } of sales) await mirrorSale(store, { saleId, userIds: [] } as never);
    const clients = [db(), verbs.db()];
    const trail: string[] = [];
    const run = (what: string, work: Work) => compare(clients, trail, `${seed}: ${what}`, work);
    for (let nth = 0; nth < STEPS; nth += 1) {
      const userId = random.pick(['ada', 'ben']);
      const saleId = random.pick(sales).saleId;
      const change = { units: random.int(random.chance(0.05) ? -1 : 0, 3), number: BigInt(nth) };
      const known = random.chance(0.95) ? campaignId : 'campaign_nowhere';
      await random.pick<() => Promise<unknown>>([
        () => run('lock', (tx) => shares.lockPerson(tx, campaignId, userId)),
        () => run('lock all', (tx) => shares.lockAllowances(tx, campaignId)),
        () =>
          run(`read ${known}`, async (tx) => ({
            ...(await shares.readLedger(tx, known, userId)),
            number: 0,
          })),
        () =>
          run(`write ${change.units}`, (tx) =>
            shares.writeAllowance(tx, { campaignId, saleId, userId }, change),
          ),
      ])();
      for (const each of sales)
        await run('state', async (tx) => {
          const all: unknown[] = [];
          for await (const page of shares.streamAllowances(tx, each.saleId)) all.push(...page);
          return all;
        });
    }
  }
});

const withoutNumbers = (found: ledger.Ledger | null) => found && { ...found, numbers: found.numbers.length };

const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
