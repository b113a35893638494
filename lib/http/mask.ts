/** Words in a field's name that say: not for a log. */
const SECRET_FIELD =
  /"([\w.-]*(?:password|secret|token|cookie|authorization|signature)[\w.-]*)":"(?:[^"\\]|\\.)*"/gi;
const URL_CREDENTIALS = /:\/\/[^\s/"@]+@/g;
const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
const KEYS = /\b(?:whsec_[\w+/=]+|signkey-[\w-]+|Bearer [\w.~+/=-]+)/g;

/**
 * A line of JSON without what no log should keep: secrets by their field's name or their form, credentials in addresses,
 * e-mail addresses. It stays a line of JSON.
 */
export function mask(line: string): string {
  const masked = line.replace(SECRET_FIELD, '"$1":"[hidden]"').replace(KEYS, '[hidden]');
  // Long lists of order numbers hold no @ and need no search for addresses.
  return masked.includes('@')
    ? masked.replace(URL_CREDENTIALS, '://[hidden]@').replace(EMAIL, '[e-mail]')
    : masked;
}
