/** The registry's symbol: the same one in every copy of this module. */
const MARK = Symbol.for('seckill.outage');

/**
 * Something that is needed can't serve just now; asking again later may help. `isOutage` knows it and whatever extends it.
 * By a mark, since `instanceof` knows one copy of a class only: the web process holds modules twice (fast path and Next's
 * bundle), the simulator once per process.
 */
export class OutageError extends Error {
  override name = 'OutageError';
  get [MARK](): true {
    return true;
  }
}

/** Whether any copy of this module has made `error`. */
export const isOutageError = (error: object): boolean => MARK in error;
