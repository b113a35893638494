/** `application/json`, `application/vnd.x+json`, whatever their parameters. */
const JSON_TYPE = /^[\w.+-]+\/(?:[\w.-]+\+)*json\s*(?:;|$)/i;

/**
 * Tells whether a content type is JSON. Only the type itself counts: other sites may send `text/plain; x=json`
 * without asking us first (CORS).
 */
export const isJsonType = (contentType: string): boolean => JSON_TYPE.test(contentType.trim());
