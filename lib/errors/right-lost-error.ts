/**
 * The actor lost the right to act while they were acting: their session ended, or the second factor that this shop requires
 * was removed. Thrown in the transaction of the change, which is rolled back. The request is refused with `code`.
 */
export class RightLostError extends Error {
  override name = 'RightLostError';
  constructor(readonly code: 'UNAUTHENTICATED' | 'SECOND_FACTOR_REQUIRED') {
    super(code);
  }
}
