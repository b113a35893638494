import type { Decider } from '@/lib/checkout/purchase/decider';
import { createOrderNoSource } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import type { AppEvent } from '../actors/executor';
import type { SimProcess } from '../sim-process';

const LOCK_TTL_MS = 5_000;
const LOCK_RETRY_MS = 1_000;

/** Idle loops poll several times a second. Here they are slower, so that idleness costs little. */
const PAUSE_STRETCH = 24;
const PAUSE_FROM_MS = 100;

const notSimulated = () => Promise.reject(new Error('no split sale is simulated'));

/** Stands for the deciders that no simulated sale uses. */
const NOT_SIMULATED: Decider = {
  looksInMemory: 'itself',
  joinsClicks: false,
  keeps: false,
  issueOrderNo: () => '',
  decide: () => Promise.reject(new Error('only the script is simulated')),
  heal: async () => false,
};

/**
 * Makes the surroundings of the composition in a process: numbers, tokens, locks, the connections to executor and
 * provider. Logs, meters and modules that only make refusals cheaper (the sold-out flag) do nothing here.
 */
export function surroundingFakes(process: SimProcess) {
  const { world } = process;
  const numbers = createOrderNoSource({ workerId: world.nextWorker(), now: () => world.time.now });
  const log = { info() {}, warn() {}, error() {}, debug() {} };

  const inngest = {
    createFunction: (config: object, handler: unknown) => ({ config, handler }),
    send: (sent: AppEvent | AppEvent[]) => {
      const events = [sent].flat();
      return process.call('executor', `send ${events.map(({ name }) => name)}`, () => {
        for (const event of events) world.executor.take(event);
      });
    },
  };

  return {
    'lib/http/log': { log },
    'lib/metrics/delay-meter': { countWritten: () => {} },
    'lib/env': { env: () => ({ backlogCap: 100_000 }), patience: () => 1 },
    'inngest/client': { inngest: () => inngest },
    'lib/metrics/attempts': { countAttempt: () => {} },
    'lib/refusal/note-refusal': { noteRefusal: () => {} },
    'lib/stock/recent-stock': { countPurchase: () => {}, peekAvailable: () => null },
    'lib/stock/stock-changes': { announceChange: async () => {} },
    'lib/stock/sold-out-flag': {
      isSurelySoldOut: () => false,
      learnSoldOut: () => {},
      clearSoldOut: () => {},
    } satisfies typeof import('@/lib/stock/sold-out-flag'),
    'lib/order/issue-order-no': {
      issueOrderNo: async (userId: string) => String(numbers.next(shardOf(userId))),
    },
    /** The token is `user jti`: its signature is not simulated. */
    'lib/entry/verify-entry-token': {
      verifyEntryToken: (token: string, saleId: string) => {
        const [userId = '', jti = ''] = token.split(' ');
        return { status: 'valid', claims: { userId, jti, saleId } };
      },
    },
    // No user is blocked here: limits are decided before the life of an order begins.
    'lib/block/find-block': { findBlock: () => null },
    'lib/account/sessions/is-session-ended': { isSessionEnded: () => false },
    'lib/line/left-turns': { isTurnLeft: () => false },
    // No simulated sale has a waitlist.
    'lib/checkout/waitlist/find-due': { findDueAtRelease: async () => [] },
    'lib/checkout/waitlist/serve-waitlist': { serveFreed: async () => {} },
    'lib/checkout/risk/limit-request': {
      limitRequest: async () => null,
      limitFromMemory: () => null,
      countedAddress: () => undefined,
      countedDevice: () => undefined,
    },
    'lib/checkout/risk/risk-of': {
      limitByRisk: () => null,
      subjectsOf: () => ({ user: '', ip: '', device: '' }),
    },
    'lib/risk/noted': { noteRisk: () => {}, noteOrigin: () => {} },
    'lib/checkout/reservation/find-reservation': { findReservation: async () => null },
    'lib/checkout/reservation/load-reservations': { loadReservations: async () => {} },
    // No simulated sale belongs to a campaign.
    'lib/checkout/campaign/load-allowances': { loadAllowances: async () => false },
    'lib/admin/verify/check-campaign': { checkCampaign: async () => {} },
    // No sale is split.
    'lib/slice/slices-of': {
      noteSlices: () => {},
      slicesOf: () => 1,
      stocksAt: async (id: string) => [id],
      stockAt: async (id: string) => id,
    } satisfies typeof import('@/lib/slice/slices-of'),
    'lib/checkout/purchase/decide-by-slices': { decideBySlices: NOT_SIMULATED },
    'lib/checkout/recovery/rebuild-slices': { rebuildSlices: notSimulated },
    'lib/checkout/slices/move-units': { moveUnits: notSimulated },
    'lib/checkout/slices/settle-parcels': {
      settleParcels: async () => {},
      settleWithin: notSimulated,
      deliver: notSimulated,
    },
    'lib/redis/slot-of': { slotOf: () => 0 } satisfies typeof import('@/lib/redis/slot-of'),
    // One Redis server is simulated, no cluster.
    'lib/outbox/relay-by-server': { relayByServer: async () => {} },
    'lib/stock/new-server': { onNewServer: () => {} },
    'lib/checkout/recovery/guard-new-server': { guardNewServer: async () => {} },
    // Sales that switch to Postgres are not simulated: all sales stay with Redis.
    'lib/fallback/read-places': { isAwayFromRedis: async () => false, readPlaces: async () => [] },
    'lib/fallback/change-mode': { leaveRedis: async () => false, completeReturn: async () => {} },
    'lib/checkout/recovery/return-to-redis': { returnToRedis: async () => false },
    'lib/checkout/order/hand-over': { handOver: async () => {} },
    'lib/checkout/purchase/stock-place': { placeOf: async () => null },
    'lib/checkout/purchase/decide-by-lock': { decideByLock: NOT_SIMULATED },
    'lib/checkout/purchase/decide-by-database': { decideByDatabase: NOT_SIMULATED },
    'lib/checkout/purchase/decide-by-queue': { decideByQueue: NOT_SIMULATED },
    // No purchase waits in a queue.
    'lib/checkout/queue/find-asked': {
      findAsked: async () => null,
      mayHaveBeenUndecided: async () => false,
    } satisfies typeof import('@/lib/checkout/queue/find-asked'),
    'lib/stock/read-asked': {
      readAsked: async () => null,
      readUndecided: async () => ({ count: 0, oldestAgeMs: 0 }),
    } satisfies typeof import('@/lib/stock/read-asked'),
    'lib/checkout/purchase/decide-with-fallback': { decideWithFallback: NOT_SIMULATED },
    'lib/lock/with-lock': {
      withLock: async (
        name: string,
        { acquireTimeoutMs = 500, ttlMs = LOCK_TTL_MS },
        work: () => Promise<unknown>,
      ) => {
        const until = world.time.now + acquireTimeoutMs;
        const take = () => process.call('redis', `lock ${name}`, () => world.takeLock(name, process, ttlMs));
        while (!(await take())) {
          if (world.time.now >= until) return { status: 'not_acquired' };
          await process.sleep(LOCK_RETRY_MS);
        }
        world.renewLock(name, process);
        try {
          return { status: 'done', value: await work() };
        } finally {
          world.dropLock(name, process);
        }
      },
    },
    'lib/payment/providers': {
      DEFAULT_PROVIDER: 'sandbox',
      providerOf: () => world.provider.asSeenBy(process),
    },
    'lib/outbox/pause': {
      pause: (ms: number, signal?: AbortSignal) => {
        if (signal?.aborted) return Promise.resolve();
        return process.sleep(ms >= PAUSE_FROM_MS ? ms * (1 + world.random.next() * PAUSE_STRETCH) : ms);
      },
    },
  };
}
