import type { Measurements, Step } from '../measurements';

/** What a closed loop of one kind of request meets on a machine that everything shares, the load generator too. */
export type Ceiling = {
  perSecond: number;
  by: 'a web process' | 'Redis' | 'the load generator' | 'the processors';
};

/**
 * Predicts how many requests a second a closed loop gets answered: whichever is full first, one thread of ours at a whole
 * core, or all of them together at the machine's cores (asymptotic bounds; Lazowska et al., ch. 5). Pure.
 * @param cores how many are really there: less than the machine's where others are at work
 */
export function predictRate(
  step: Step,
  { webs, cores }: { webs: number; cores: number },
  { steps, redisBusyUs, generatorUs }: Measurements,
): Ceiling {
  const { web, redis, postgres } = steps[step].cpuUs;
  const redisUs = step === 'purchase' ? Math.max(redis, redisBusyUs) : redis;
  const per = (us: number, many = 1) => (us > 0 ? (many * 1e6) / us : Number.POSITIVE_INFINITY);
  const bounds: Ceiling[] = [
    { perSecond: per(web, webs), by: 'a web process' },
    { perSecond: per(redisUs), by: 'Redis' },
    { perSecond: per(generatorUs), by: 'the load generator' },
    { perSecond: per(web + redis + postgres + generatorUs, cores), by: 'the processors' },
  ];
  return bounds.reduce((least, bound) => (bound.perSecond < least.perSecond ? bound : least));
}
