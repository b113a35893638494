/** The executor has understood an event and will never take it: sending it again is pointless. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
