/** A symbol from the global registry, so it is the same in every copy of this module. */
const MARK = Symbol.for('seckill.outage');

/**
 * Says that something we need can't serve just now; asking again later may help. `isOutage` recognises it and its
 * subclasses by a mark. `instanceof` would recognise only one copy of the class: Next's process holds two copies of most
 * modules (`lib/process-wide.ts`).
 */
export class OutageError extends Error {
  override name = 'OutageError';
  get [MARK](): true {
    return true;
  }
}

/** Tells whether any copy of this module made `error`. */
export const isOutageError = (error: object): boolean => MARK in error;
