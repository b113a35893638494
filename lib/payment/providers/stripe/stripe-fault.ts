/**
 * Stripe refused, or gave no answer. It has neither `code` nor `cause`: what happens on the way to another company is no
 * outage of ours.
 */
export class StripeFault extends Error {
  override name = 'StripeFault';
  /**
   * @param reason Stripe's own code, such as `charge_already_refunded`
   * @param status of its answer; none if there was no answer
   */
  constructor(
    message: string,
    readonly reason?: string,
    readonly status?: number,
  ) {
    super(message);
  }
}
