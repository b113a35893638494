import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { createOrderNoSource, type OrderNoSource, OrderNoSpanEndedError } from '@/lib/ids/order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { cases, demandsCoverage } from '@/test/support/random';
import { leaseWorker, NoWorkerFreeError, type WorkerLease } from './lease-worker';

afterAll(closeRedis);

/** The only free number. The release before this one leases it as a whole; this one in a single part or in 128. */
let free: number;
/** How far every process's clock has moved on in this history, ms. */
let passedMs = 0;

type Process = {
  source: OrderNoSource;
  lease: Pick<WorkerLease, 'renew' | 'release'>;
};

/** How the release before this one leases, keeps and gives back a whole number, for 30 s. */
const LEASE_WHOLE = `
  if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return 0 end
  local startAfter = tonumber(redis.call('GET', KEYS[2]) or 0)
  local untilMs = math.max(startAfter, tonumber(ARGV[2])) + 30000
  redis.call('SET', KEYS[2], untilMs)
  return {startAfter, untilMs}`;
const RENEW_WHOLE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('PEXPIRE', KEYS[1], 30000)
  local untilMs = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[2]) + 30000)
  redis.call('SET', KEYS[2], untilMs)
  return untilMs`;
const RELEASE_WHOLE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[2])
  return redis.call('DEL', KEYS[1])`;

const who = fc.nat(3);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constantFrom('start' as const, 'startOld' as const),
      ahead: fc.constantFrom<number[]>(-300, -100, 0, 100),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant('issue' as const),
      who,
      count: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('renew' as const), who }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('release' as const), who }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('kill' as const), who }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('expire' as const), isLong: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('pass' as const),
      ms: fc.constantFrom<number[]>(10_000, 31_000),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const issues = (...whose: number[]) => whose.map((who) => ({ verb: 'issue' as const, who, count: 100 }));
const [started, startedOld] = [
  { verb: 'start' as const, ahead: 0 },
  { verb: 'startOld' as const, ahead: 0 },
];
const expired = { verb: 'expire' as const, isLong: true };
const passed = (ms: number) => ({ verb: 'pass' as const, ms });
const renewed = { verb: 'renew' as const, who: 0 };
/**
 * The rarest ways to go wrong: a lease renewed for longer than the number's mark says, one renewed after the whole number
 * was taken, and a successor that begins while its killed predecessor's clock ran ahead.
 */
const RARE: Step[][] = [
  [started, passed(10_000), renewed, expired, passed(25_000), startedOld, ...issues(0, 1, 0)],
  [started, expired, startedOld, passed(31_000), renewed, ...issues(1, 0, 1, 0)],
  [started, ...issues(0, 0), expired, started, ...issues(1)],
];

it.each([
  // So many numbers at a time that the clock of either kind runs ahead.
  { parts: 1, number: 3, share: 64 },
  { parts: 128, number: 20, share: 1 },
])(
  '[E8 K7] processes of this release, $parts parts a number, and the one before, killed, stopped or with clocks apart, never make a number twice',
  async ({ number, share }) => {
    free = number;
    // Every process looks at the same part first, so that they collide.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const seen = { start: 0, startOld: 0, numbers: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await leaveFree();
        const issued = new Set<bigint>();
        const running: Process[] = [];
        for (const one of steps) {
          const asked = 'who' in one ? running[one.who % Math.max(1, running.length)] : undefined;
          switch (one.verb) {
            case 'start':
            case 'startOld': {
              const started = await (one.verb === 'start' ? start : startOld)(one.ahead);
              if (!started) break;
              running.push(started);
              seen[one.verb] += 1;
              break;
            }
            case 'issue':
              for (const orderNo of asked ? issue(asked, one.count * share) : []) {
                // No `expect`: it takes longer than the clock runs ahead.
                if (issued.has(orderNo)) throw new Error(`${orderNo} came twice`);
                issued.add(orderNo);
              }
              break;
            case 'renew':
              // If Redis considers a process dead and it goes on, it was stopped for long.
              await asked?.lease.renew(asked.source.lastMs());
              break;
            case 'release':
              await asked?.lease.release(asked.source.lastMs());
              if (asked) running.splice(running.indexOf(asked), 1);
              break;
            case 'kill':
              if (asked) running.splice(running.indexOf(asked), 1);
              break;
            case 'pass':
              passedMs += one.ms;
              break;
            case 'expire':
              await expireAll(one.isLong);
          }
        }
        seen.numbers += issued.size;
      }),
      { numRuns: cases(40), examples: RARE.map((steps): [Step[]] => [steps]) },
    );
    expect(seen.start).toBeGreaterThan(demandsCoverage ? 20 : 0);
    expect(seen.startOld).toBeGreaterThan(demandsCoverage ? 20 : 0);
    expect(seen.numbers).toBeGreaterThan(demandsCoverage ? 10_000 : 0);
  },
);

async function leaveFree(): Promise<void> {
  passedMs = 0;
  await stockRedis().flushdb();
  const taken = Array.from({ length: 31 }, (_, i) => i).filter((i) => i !== free);
  await Promise.all(taken.map((i) => stockRedis().set(keys.worker(i), 'taken')));
}

/** Lets every lease run out, as if all processes had stopped for long. Only the marks are left. */
async function expireAll(isLong: boolean): Promise<void> {
  const parts = Object.keys(await stockRedis().hgetall(keys.workerParts(free)));
  for (const part of parts) {
    const [owner, , mark] = ((await stockRedis().hget(keys.workerParts(free), part)) ?? '').split(' ');
    await stockRedis().hset(keys.workerParts(free), part, `${owner} 1 ${mark}`);
  }
  // The number's own key lives at least as long as its parts, often longer.
  if (isLong) await stockRedis().del(keys.worker(free));
}

async function start(ahead: number): Promise<Process | null> {
  const now = () => Date.now() + passedMs + ahead;
  const lease = await leaseWorker({ now }).catch((error) => {
    if (error instanceof NoWorkerFreeError) return null;
    throw error;
  });
  if (!lease) return null;
  return { lease, source: createOrderNoSource({ ...lease, now }) };
}

/** Starts a process of the release before this one, which leases the whole number. */
async function startOld(ahead: number): Promise<Process | null> {
  const now = () => Date.now() + passedMs + ahead;
  const [owner, both] = [randomUUID(), [keys.worker(free), keys.workerMark(free)]];
  const ask = (lua: string, ...args: number[]): Promise<unknown> =>
    stockRedis().eval(lua, 2, ...both, owner, ...args);
  const leased = await ask(LEASE_WHOLE, now());
  if (!Array.isArray(leased)) return null;
  const [startAfterMs, endMs] = leased.map(Number);
  let end = endMs ?? 0;
  const renew = async (lastMs: number) => {
    end = Number(await ask(RENEW_WHOLE, Math.max(now(), lastMs)));
    return end > 0;
  };
  const release = async (lastMs: number) => void (await ask(RELEASE_WHOLE, lastMs));
  const source = createOrderNoSource({ workerId: free, now, startAfterMs, endMs: () => end });
  return { source, lease: { renew, release } };
}

/** Issues as many numbers as the span allows, for one shard, where numbers of two processes could meet. */
function issue({ source }: Process, count: number): bigint[] {
  const numbers: bigint[] = [];
  try {
    while (numbers.length < count) numbers.push(source.next(7));
  } catch (error) {
    if (!(error instanceof OrderNoSpanEndedError)) throw error;
  }
  return numbers;
}
