/**
 * Estimates waits at c servers of one queue: Sakasegawa's approximation for G/G/c (H. Sakasegawa, "An approximation
 * formula Lq ≈ αρ^β/(1−ρ)", Annals of the Institute of Statistical Mathematics 29, 1977). For one server and Poisson arrivals it is
 * the formula of Pollaczek and Khinchine, exact for M/G/1.
 * @param busy share of their time that the servers are busy, 0 … 1; Infinity from 1 on
 * @param serviceMs mean time of one service
 * @param variability square of the coefficient of variation of arrivals and services, on average; 1 is the exponential
 *   distribution, and more varied than what one kind of request needs
 * @returns the mean wait before service, and the wait that 99 of 100 do not exceed, in ms: the tail of the wait of those
 *   who wait at all is taken as exponential, which is exact for M/M/c
 */
export function waits(
  busy: number,
  serviceMs: number,
  { servers = 1, variability = 1 }: { servers?: number; variability?: number } = {},
): { meanMs: number; p99Ms: number } {
  if (!(busy < 1)) return { meanMs: Number.POSITIVE_INFINITY, p99Ms: Number.POSITIVE_INFINITY };
  const exponent = Math.sqrt(2 * (servers + 1)) - 1;
  const meanMs = (variability * serviceMs * busy ** exponent) / (servers * (1 - busy));
  // Who waits: for one server a share of `busy`.
  const waiting = Math.min(1, busy ** exponent);
  const p99Ms = waiting <= 0.01 ? 0 : (meanMs / waiting) * Math.log(waiting / 0.01);
  return { meanMs, p99Ms };
}
