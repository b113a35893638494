import type { Random } from '@/tools/harness/random';

/**
 * The faults of one schedule and how often they happen. The profile is drawn from the seed. Most kinds are off in
 * most schedules, so that each kind also happens alone. Probabilities are per call unless said otherwise.
 */
export type FaultProfile = {
  /** Slow calls take 0.2 to 12 s instead of up to 5 ms: as long as other things do. */
  slow: number;
  /**
   * The three ways a call fails: refused without an effect; done, but the answer is lost; refused, and done later
   * after all.
   */
  refused: number;
  lost: number;
  late: number;
  /** The process dies, before or after the effect. */
  crash: number;
  /** The process stands still for 1 to 14 s. */
  freeze: number;
  /** Deliveries by the executor and callbacks by the provider that happen twice. */
  duplicate: number;
  /** Payments for which the provider takes other money than its page asked for, reports other money, or books it later. */
  wrong: number;
  /** Seconds during which a part can't be reached, in the middle of the schedule; 0 = never. */
  redisDownSec: number;
  postgresDownSec: number;
  executorDownSec: number;
  /**
   * How often Redis loses everything, or comes back as it was some time ago. In such schedules no process dies,
   * because data that both Redis and a process lose is lost.
   */
  redisLosses: number;
  /** Whether sales are reconciled. If not, nothing may depend on it: then no call comes late and Redis loses nothing. */
  isReconciled: boolean;
  /** Virtual seconds during which faults happen; afterwards everything works. */
  troubleSec: number;
  shoppers: number;
  stock: number;
  limit: number;
  paymentWindowSec: number;
};

export function drawFaultProfile(random: Random): FaultProfile {
  const sometimes = (chance: number, from: number, to: number) =>
    random.chance(chance) ? from + random.next() * (to - from) : 0;
  const redisLosses = random.chance(0.2) ? random.int(1, 2) : 0;
  const isReconciled = redisLosses > 0 || random.chance(0.5);
  return {
    slow: sometimes(0.5, 0.005, 0.1),
    refused: sometimes(0.4, 0.005, 0.08),
    lost: sometimes(0.4, 0.005, 0.08),
    late: isReconciled ? sometimes(0.4, 0.005, 0.05) : 0,
    crash: redisLosses > 0 ? 0 : sometimes(0.5, 0.005, 0.08),
    freeze: sometimes(0.3, 0.002, 0.02),
    duplicate: sometimes(0.5, 0.05, 0.5),
    wrong: sometimes(0.4, 0.05, 0.4),
    redisDownSec: sometimes(0.1, 1, 20),
    postgresDownSec: sometimes(0.1, 1, 20),
    executorDownSec: sometimes(0.1, 1, 20),
    redisLosses,
    isReconciled,
    troubleSec: random.int(10, 40),
    shoppers: random.int(2, 5),
    stock: random.int(1, 5),
    limit: random.chance(0.6) ? 1 : random.int(2, 3),
    paymentWindowSec: random.int(5, 15),
  };
}
