/** `application/json`, `application/vnd.x+json`, whatever their parameters. */
const JSON_TYPE = /^[\w.+-]+\/(?:[\w.-]+\+)*json\s*(?:;|$)/i;

/**
 * Whether a content type is JSON. Only the type itself counts: `text/plain; x=json` is what other sites may send without
 * asking us first (CORS).
 */
export const isJsonType = (contentType: string): boolean => JSON_TYPE.test(contentType.trim());
