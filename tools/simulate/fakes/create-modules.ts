import { partsOf, type SaleKind } from '../sale-kind';
import type { SimProcess } from '../sim-process';
import { adminFakes } from './admin';
import { campaignFakes } from './campaign';
import { lineFakes } from './line';
import { orderFakes } from './order';
import { outboxFakes } from './outbox';
import { paymentFakes } from './payment';
import { queueFakes } from './queue';
import { redisClient } from './redis-client';
import { saleFakes } from './sale';
import { Session } from './session';
import { sliceFakes } from './slices';
import { stockFakes } from './stock';
import { surroundingFakes } from './surroundings';
import { waitlistFakes } from './waitlist';

/**
 * Makes, by its path, every module that a simulated process gets from the simulator: those that talk to Redis,
 * Postgres, the executor, the provider or the clock. All other modules are the product's own.
 */
export function createModules(process: SimProcess) {
  const session = new Session(process);
  const redis = redisClient(process);
  const outbox = outboxFakes(session, process.world.executor);
  return {
    'lib/db/client': { db: () => session.db, TRANSACTION_MS: 15_000 },
    'lib/redis/client': {
      stockRedis: () => redis,
      cacheRedis: () => redis,
      blockingRedis: () => redis,
      confirmingRedis: () => redis,
    },
    'lib/redis/ask-server-of': {
      serverOf: () => '',
      // The product asks for time and stock in one round trip.
      timeAt: async () => [
        Math.floor(process.world.time.now / 1_000),
        (process.world.time.now % 1_000) * 1_000,
      ],
    },
    ...outbox,
    ...orderFakes(session, outbox),
    ...paymentFakes(session),
    ...saleFakes(process, session),
    ...stockFakes(process),
    ...waitlistFakes(process, session),
    ...queueFakes(process, session),
    ...campaignFakes(process, session),
    ...sliceFakes(process, session),
    ...lineFakes(session),
    ...adminFakes(process, session),
    ...surroundingFakes(process),
    'node:timers/promises': {
      setImmediate: () => process.sleep(0),
      setTimeout: (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        new Promise((resolve, reject) => {
          const cancel = process.after(ms, () => resolve(value));
          signal?.addEventListener('abort', () => {
            cancel();
            reject(signal.reason);
          });
        }),
    },
  };
}

export type Modules = ReturnType<typeof createModules>;

/** Modules that a kind of sale gets from the product, because it uses what they do; other kinds get what stands for them. */
const FROM_PRODUCT: Partial<Record<SaleKind, readonly (keyof Modules)[]>> = {
  queue: [
    'lib/checkout/purchase/decide-by-queue',
    'lib/checkout/queue/find-asked',
    'lib/stock/read-asked',
    'lib/admin/reconcile/check-settings',
    'lib/admin/sales/sync-settings',
  ],
  campaign: [
    'lib/checkout/campaign/claim-allowance',
    'lib/checkout/campaign/load-allowances',
    'lib/checkout/campaign/restore-allowance',
  ],
  split: [
    'lib/slice/slices-of',
    'lib/checkout/purchase/decide-by-slices',
    'lib/checkout/recovery/rebuild-slices',
    'lib/checkout/slices/restock-slices',
    'lib/checkout/slices/move-units',
    'lib/checkout/slices/settle-parcels',
  ],
};

/** Returns the modules that a kind of sale gets from the product: those of all its parts. */
export const takenBy = (kind: SaleKind): readonly string[] =>
  partsOf(kind).flatMap((part) => FROM_PRODUCT[part] ?? []);
