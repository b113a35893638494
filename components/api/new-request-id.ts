/**
 * Returns an id for one change; the client repeats it when it sends the change again after a lost answer. Also works
 * where `randomUUID` is missing: without HTTPS.
 */
export const newRequestId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36).padStart(7, '0')).join('');
