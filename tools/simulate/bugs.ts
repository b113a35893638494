import { keys } from '@/lib/redis/keys';
import { Transaction } from './stores/tables';
import type { World } from './world';

/**
 * A mistake that is planted on purpose, to show that the simulator would find it. Either a line of the product is
 * replaced while it is bundled, or a simulated store omits a check. The product's source contains no trace of it.
 */
export type Bug = {
  what: string;
  source?: { file: string; from: string; to: string };
  /** Makes a store of the simulated world forget a check. */
  spoil?: (world: World) => void;
};

export const BUGS: Readonly<Record<string, Bug>> = {
  'release-unchecked': {
    what: 'a release gives units back whatever state the purchase is in',
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
    source: {
      file: 'lib/outbox/deliver-batch.ts',
      from: 'await send(toEvent(batch));\n      await acknowledgeAll(batch);',
      to: 'await acknowledgeAll(batch);\n      await send(toEvent(batch));',
    },
  },
  'cancel-unconditional': {
    what: 'a cancellation does not look whether the order still waits for payment',
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
    spoil: ({ postgres: { processed } }) => {
      const insert = processed.insert.bind(processed);
      processed.insert = async (tx, key, row) =>
        (await insert(tx, key, row)) || key.startsWith('confirm-paid ');
    },
  },
  'processed-outside': {
    what: 'a batch is marked as processed outside the transaction that writes its orders',
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
    source: {
      file: 'lib/checkout/payment/apply-books.ts',
      from: 'return sendBack(tx, provider, payment, state);',
      to: "return { outcome: 'mismatch' };",
    },
  },
  'late-money-unasked': {
    what: 'late money is kept without asking Redis for the unit',
    source: {
      file: 'lib/checkout/payment/keep-late-payment.ts',
      from: "return status !== 'sold_out' && status !== 'over_limit';",
      to: 'return true;',
    },
  },
};
