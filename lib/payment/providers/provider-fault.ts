/**
 * Another company refused, or gave no answer. It has neither `code` nor `cause`: what happens on the way to another
 * company is no outage of ours.
 */
export class ProviderFault extends Error {
  override name = 'ProviderFault';
  /**
   * @param status of its answer; none if there was no answer
   * @param reason its own code, such as `charge_already_refunded`
   */
  constructor(
    message: string,
    readonly status?: number,
    readonly reason?: string,
  ) {
    super(message);
  }
}
