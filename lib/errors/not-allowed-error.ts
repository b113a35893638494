/**
 * The actor may not do this, or not any more: a member's role in a shop doesn't allow it, their session has ended, or the second
 * factor that this shop requires was removed. Thrown, because the check is deep inside the transaction that it has to roll
 * back. The request is refused with `code`.
 */
export class NotAllowedError extends Error {
  override name = 'NotAllowedError';
  /** @param act what was tried, as in `ShopAct`; only for FORBIDDEN */
  constructor(
    readonly code: 'FORBIDDEN' | 'UNAUTHENTICATED' | 'SECOND_FACTOR_REQUIRED',
    readonly act?: string,
  ) {
    super(act ? `${code}: ${act}` : code);
  }
}
