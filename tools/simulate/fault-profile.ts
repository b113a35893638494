import type { Random } from '@/tools/harness/random';

/**
 * What can go wrong in one schedule, and how often: drawn from its seed, most kinds switched off in most schedules, so that
 * each also comes alone. Probabilities are per call unless said otherwise.
 */
export type FaultProfile = {
  /** Calls that take as long as other things do: 0.2 to 12 s instead of up to 5 ms. */
  slow: number;
  /** Refused without an effect; done without an answer; refused, and done later all the same. */
  refused: number;
  lost: number;
  late: number;
  /** The process dies, before or after the effect. */
  crash: number;
  /** The process stands still for 1 to 14 s. */
  freeze: number;
  /** Deliveries by the executor and callbacks by the provider that come twice. */
  duplicate: number;
  /** Payments for which the provider takes other money than was asked for, tells other money, or books it later. */
  wrong: number;
  /** Seconds in which a part can't be reached, in the middle of it all; 0 = never. */
  redisDownSec: number;
  postgresDownSec: number;
  executorDownSec: number;
  /** How often Redis loses everything, or comes back as it was some time ago. Then no web process dies: what both lose is lost. */
  redisLosses: number;
  /** Whether sales are reconciled. Without, nothing may need it: then nothing comes late and Redis loses nothing. */
  isReconciled: boolean;
  /** Virtual seconds in which things go wrong; afterwards all is well. */
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
