/** A message that its consumer can't serve, whoever delivers it and when: the message's fault, not the service's. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
