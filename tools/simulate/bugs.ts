import { keys } from '@/lib/redis/keys';
import type { SaleKind } from './sale-kind';
import { Transaction } from './stores/tables';
import type { World } from './world';

/**
 * A mistake that is planted on purpose, to show that the simulator would find it. Either a line of the product is
 * replaced while it is bundled, or a simulated store omits a check. The product's source contains no trace of it.
 */
export type Bug = {
  what: string;
  /** The kind of sale that it can break. */
  kind: SaleKind;
  source?: { file: string; from: string; to: string };
  /** Makes a store of the simulated world forget a check. */
  spoil?: (world: World) => void;
};

export const BUGS: Readonly<Record<string, Bug>> = {
  'release-unchecked': {
    what: 'a release gives units back whatever state the purchase is in',
    kind: 'plain',
    spoil: ({ stock, redis }) => {
      const release = stock.release.bind(stock);
      stock.release = (order) => {
        const status = release(order);
        const { available, held } = stock.tiers(order.saleId);
        if (status === 'already_released') {
          redis.hset(keys.sale(order.saleId), { available: available + 1, held: held - 1 });
        }
        return status;
      };
    },
  },
  'ack-before-send': {
    what: 'the relay acknowledges a batch before the executor has it',
    kind: 'plain',
    source: {
      file: 'lib/outbox/deliver-batch.ts',
      from: 'await send(toEvent(batch));\n      await acknowledgeAll(batch);',
      to: 'await acknowledgeAll(batch);\n      await send(toEvent(batch));',
    },
  },
  'cancel-unconditional': {
    what: 'a cancellation does not look whether the order still waits for payment',
    kind: 'plain',
    spoil: ({ postgres: { orders } }) => {
      const update = orders.update.bind(orders);
      orders.update = (tx, key, fits, change) => {
        const isCancelled = (row: Parameters<typeof fits>[0]) =>
          typeof change === 'function' && change(row).endReason === 'cancelled_by_shopper';
        return update(
          tx,
          key,
          (row) => fits(row) || (row.status === 'paid' && isCancelled(row)),
          (row) => ({
            ...(typeof change === 'function' ? change(row) : change),
            ...(isCancelled(row) && { paidAt: null }),
          }),
        );
      };
    },
  },
  'confirm-counts-again': {
    what: 'a message that comes again counts its units as sold again',
    kind: 'plain',
    spoil: ({ postgres: { processed } }) => {
      const insert = processed.insert.bind(processed);
      processed.insert = async (tx, key, row) =>
        (await insert(tx, key, row)) || key.startsWith('confirm-paid ');
    },
  },
  'processed-outside': {
    what: 'a batch is marked as processed outside the transaction that writes its orders',
    kind: 'plain',
    spoil: ({ postgres: { processed } }) => {
      const insert = processed.insert.bind(processed);
      processed.insert = async (_tx, key, row) => {
        const own = new Transaction();
        const isFresh = await insert(own, key, row);
        own.commit();
        return isFresh;
      };
    },
  },
  'token-forgotten': {
    what: 'a purchase does not look whether its token has bought before',
    kind: 'plain',
    spoil: ({ stock }) => {
      const purchase = stock.purchase.bind(stock);
      let nth = 0;
      stock.purchase = (asked) => {
        nth += 1;
        return purchase({ ...asked, jti: `${asked.jti}_${nth}` });
      };
    },
  },
  'opening-unnoted': {
    what: 'nobody notes that a payment was opened, so its order may get another price',
    kind: 'plain',
    spoil: ({ postgres: { payments } }) => {
      const update = payments.update.bind(payments);
      payments.update = (tx, key, fits, change) =>
        update(tx, key, fits, (row) => {
          const { openedAt: _, ...rest } = typeof change === 'function' ? change(row) : change;
          return rest;
        });
    },
  },
  'wrong-money-forgotten': {
    what: 'a wrong amount is recorded and never refunded',
    kind: 'plain',
    source: {
      file: 'lib/checkout/payment/apply-books.ts',
      from: 'return sendBack(tx, provider, payment, state);',
      to: "return { outcome: 'mismatch' };",
    },
  },
  'late-money-unasked': {
    what: 'late money is kept without asking Redis for the unit',
    kind: 'plain',
    source: {
      file: 'lib/checkout/payment/keep-late-payment.ts',
      from: "return status !== 'sold_out' && status !== 'over_limit';",
      to: 'return true;',
    },
  },
  'last-served-first': {
    what: 'a unit that comes back goes to the last who waits',
    kind: 'waitlist',
    spoil: ({ redis }) => {
      const zrange = redis.zrange.bind(redis);
      redis.zrange = (key) => zrange(key).reverse();
    },
  },
  'awaited-forgotten': {
    what: 'whoever buys does not look whether somebody waits',
    kind: 'waitlist',
    spoil: ({ stock, redis }) => {
      const purchase = stock.purchase.bind(stock);
      stock.purchase = (asked) => {
        if (redis.hash(keys.sale(asked.saleId))) redis.hset(keys.sale(asked.saleId), { awaited: 0 });
        return purchase(asked);
      };
    },
  },
  'given-and-kept': {
    what: 'a unit that was given to somebody who waits stays for sale',
    kind: 'waitlist',
    spoil: ({ waitlist, stock, redis }) => {
      const giveOn = waitlist.giveOn.bind(waitlist);
      waitlist.giveOn = (saleId, most) => {
        const given = giveOn(saleId, most);
        const { available, total } = stock.tiers(saleId);
        if (given > 0) redis.hset(keys.sale(saleId), { available: available + given, total: total + given });
        return given;
      };
    },
  },
  'release-gives-nothing': {
    what: 'a release gives nothing on, and no worker looks after waitlists',
    kind: 'waitlist',
    spoil: ({ waitlist }) => {
      waitlist.giveOn = () => 0;
    },
  },
  'place-unwritten': {
    what: 'a place is told before Postgres has it',
    kind: 'waitlist',
    source: {
      file: 'lib/checkout/waitlist/join-waitlist.ts',
      from: 'if ((await write({ ...place, epoch })).has(',
      to: 'if ([place, void write({ ...place, epoch }).catch(() => {})].length > 0) return result;\n        if (new Set().has(',
    },
  },
  'late-money-kept': {
    what: 'late money buys its unit again in a sale that sends it back',
    kind: 'plain',
    source: {
      file: 'lib/checkout/payment/keep-late-payment.ts',
      from: "return (lateMoney as LateMoney) === 'refund';",
      to: "return (lateMoney as string) === 'never';",
    },
  },
  'turns-uncounted': {
    what: 'those who were let in and have not bought yet are not counted, so more are let in than there are units for',
    kind: 'waiting-room',
    source: {
      file: 'lib/line/count-outstanding.ts',
      from: 'return (idle[0]?.count ?? 0) + entered.length - bought;',
      to: 'return (idle[0]?.count ?? 0) + entered.length > 100 ? bought : 0;',
    },
  },
  'seed-ignored': {
    what: 'those who came before the start are let in as they came',
    kind: 'waiting-room',
    source: {
      file: 'lib/line/places.ts',
      from: 'const order = await shuffle(key, early);',
      to: 'const order = [...(await shuffle(key, early))].sort((a, b) => a - b);',
    },
  },
  'turn-cut-short': {
    what: 'a turn is over after five seconds',
    kind: 'waiting-room',
    source: {
      file: 'lib/line/next-admission.ts',
      from: 'steps.findLast(([at]) => at <= now - TURN_MS)?.[1] ?? 0;',
      to: 'steps.findLast(([at]) => at <= now - 5_000)?.[1] ?? 0;',
    },
  },
  'turn-for-ever': {
    what: 'a turn that nobody uses never passes on',
    kind: 'waiting-room',
    source: {
      file: 'lib/line/next-admission.ts',
      from: 'steps.findLast(([at]) => at <= now - TURN_MS)?.[1] ?? 0;',
      to: 'Math.min(0, now, steps.length);',
    },
  },
  'let-in-unasked': {
    what: 'whoever stands in the line may enter, whether it is their turn or not',
    kind: 'waiting-room',
    source: {
      file: 'lib/checkout/line/admit-from-line.ts',
      from: 'if (latestPlace === null || latestPlace >= latest.admitted) {',
      to: 'if (latestPlace === null) {',
    },
  },
  'drawn-backwards': {
    what: 'those who were drawn are put in line for units last to first',
    kind: 'draw',
    source: {
      file: 'lib/checkout/draw/run-draws.ts',
      from: 'const people = drawn.map(',
      to: 'const people = [...drawn].reverse().map(',
    },
  },
  'weights-ignored': {
    what: 'everybody has the same chance in a draw that says otherwise',
    kind: 'draw',
    source: {
      file: 'lib/checkout/draw/decide-draw.ts',
      from: 'const weights = entrants.map(({ level, userId }) =>',
      to: 'const weights = entrants.map(({ userId }, _, __, level = 0) =>',
    },
  },
  'finished-too-soon': {
    what: 'a draw counts as finished before those who were drawn stand in line for units',
    kind: 'draw',
    source: {
      file: 'lib/checkout/draw/run-draws.ts',
      from: 'await enlistDrawn(saleId, enlistPeople);\n    return (await noteEnlisted(saleId)) > 0;',
      to: 'const isNoted = (await noteEnlisted(saleId)) > 0;\n    await enlistDrawn(saleId, enlistPeople);\n    return isNoted;',
    },
  },
  'decided-backwards': {
    what: 'of those who wait in a queue the last is decided first',
    kind: 'queue',
    spoil: ({ queue, redis }) => {
      const decide = queue.decide.bind(queue);
      const xrange = redis.xrange.bind(redis);
      queue.decide = (saleId) => {
        redis.xrange = (...words) => xrange(...words).reverse();
        try {
          return decide(saleId);
        } finally {
          redis.xrange = xrange;
        }
      };
    },
  },
  'undecided-is-accepted': {
    what: 'whoever was put into the queue hears that the purchase was accepted',
    kind: 'queue',
    source: {
      file: 'lib/checkout/purchase/purchase.ts',
      from: "return taken(orderNo, 'undecided', false);",
      to: "return taken(orderNo, 'queued', false);",
    },
  },
  'refusal-unkept': {
    what: 'why a purchase was refused is not kept for its shopper',
    kind: 'queue',
    spoil: ({ queue, redis }) => {
      const decide = queue.decide.bind(queue);
      queue.decide = (saleId) => {
        const decisions = decide(saleId);
        for (const { userId } of decisions) redis.hdel(keys.asked(saleId), userId);
        return decisions;
      };
    },
  },
  'pause-unheeded': {
    what: 'purchases that wait are accepted although the sale is paused',
    kind: 'queue',
    spoil: ({ queue, redis }) => {
      const decide = queue.decide.bind(queue);
      queue.decide = (saleId) => {
        const paused = redis.hash(keys.sale(saleId))?.get('paused');
        if (paused === undefined) return decide(saleId);
        redis.hset(keys.sale(saleId), { paused: 0 });
        const decisions = decide(saleId);
        redis.hset(keys.sale(saleId), { paused });
        return decisions;
      };
    },
  },
  'allowance-unasked': {
    what: 'a purchase does not look at what the campaign leaves its buyer',
    kind: 'campaign',
    spoil: ({ stock, redis }) => {
      const purchase = stock.purchase.bind(stock);
      stock.purchase = (asked) => {
        if (redis.hash(keys.sale(asked.saleId))) redis.hset(keys.sale(asked.saleId), { shared: 0 });
        return purchase(asked);
      };
    },
  },
  'bought-taken-back': {
    what: 'what a person has bought in a sale of a campaign is taken back as well',
    kind: 'campaign',
    source: {
      file: 'lib/checkout/campaign/claim-allowance.ts',
      from: 'const kept = await takeBack(other, userId, number);',
      to: 'const kept = (await takeBack(other, userId, number)) === null ? null : 0;',
    },
  },
  'share-kept': {
    what: 'no sale of a campaign gives back what was not bought there',
    kind: 'campaign',
    source: {
      file: 'lib/checkout/campaign/claim-allowance.ts',
      from: 'if (free >= missing) break;',
      to: 'if (free >= missing || rows.length > 0) break;',
    },
  },
  'parcel-taken-twice': {
    what: 'a slice does not remember which units have come to it',
    kind: 'split',
    spoil: ({ parcels, redis }) => {
      const take = parcels.take.bind(parcels);
      parcels.take = (stockId, parcel) => {
        if (redis.hash(keys.sale(stockId))) redis.hset(keys.sale(stockId), { taken: 0 });
        return take(stockId, parcel);
      };
    },
  },
  'moved-in-redis-only': {
    what: 'units move between slices without Postgres',
    kind: 'split',
    source: {
      file: 'lib/checkout/slices/move-units.ts',
      from: 'await moveInLedger(tx, saleId, parcels);',
      to: 'await moveInLedger(tx, saleId, []);',
    },
  },
  'own-slice-sold-out': {
    what: 'whoever finds nothing in the own slice hears that the sale has sold out',
    kind: 'split',
    source: {
      file: 'lib/checkout/purchase/decide-by-slices.ts',
      from: 'const found = await findUnits(dry);',
      to: "const found = { status: 'none' as string, available: 0, dry: findUnits };",
    },
  },
  'awaited-undecided': {
    what: 'a purchase is queued and decided without a look whether somebody waits for a unit',
    kind: 'queue-waitlist',
    spoil: ({ stock }) => {
      const situation = stock.situation.bind(stock);
      stock.situation = (saleId, userId) => ({ ...situation(saleId, userId), isAwaited: false });
    },
  },
  'taken-back-from-first-slice': {
    what: 'an allowance is taken back in the first slice, not in the buyer’s',
    kind: 'split-campaign',
    source: {
      file: 'lib/checkout/campaign/claim-allowance.ts',
      from: 'trimAllowance(stockOfBuyer(other, userId), { userId, number })',
      to: 'trimAllowance({ ...stockOfBuyer(other, userId), stockId: other.saleId, epoch: other.sliceEpochs[0] ?? 0 }, { userId, number })',
    },
  },
  'left-in-redis-only': {
    what: 'whoever leaves is taken off the list in Redis, not in Postgres',
    kind: 'waitlist',
    source: {
      file: 'lib/checkout/waitlist/leave-waitlist.ts',
      from: 'await leaveInDatabase(saleId, userId);',
      to: '',
    },
  },
};
