/** A message that its consumer can never serve, whoever delivers it and when: the message is at fault, not the service. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
