/** A name for one change, to be repeated with it when its answer got lost. Also where `randomUUID` is not: without HTTPS. */
export const newRequestId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36).padStart(7, '0')).join('');
