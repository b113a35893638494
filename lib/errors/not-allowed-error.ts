/**
 * Somebody works in a shop and tries what is not theirs to do there. Thrown, because the check is deep inside what it
 * guards, in its transaction, which has to be rolled back; `serve` answers it with 403 FORBIDDEN.
 */
export class NotAllowedError extends Error {
  /** @param act what was tried, as in `ShopAct` */
  constructor(readonly act: string) {
    super(`not allowed: ${act}`);
    this.name = 'NotAllowedError';
  }
}
