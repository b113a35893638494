/** A message that its consumer can never serve: the message is at fault, not the service. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
