/**
 * A member of a shop tries what their role there doesn't allow. Thrown, because the check is deep inside the transaction
 * that it has to roll back; `serve` answers it with 403 FORBIDDEN.
 */
export class NotAllowedError extends Error {
  /** @param act as in `ShopAct` */
  constructor(readonly act: string) {
    super(`not allowed: ${act}`);
    this.name = 'NotAllowedError';
  }
}
