/** Words in a field's name that say: not for a log. */
const SECRET_FIELD =
  /"([\w.-]*(?:password|secret|token|cookie|authorization|signature)[\w.-]*)":"(?:[^"\\]|\\.)*"/gi;
const URL_CREDENTIALS = /:\/\/[^\s/"@]+@/g;
/** What an address carries that opens something or names somebody; plain, or inside another address. */
const QUERY_SECRET =
  /([?&][\w.-]*(?:password|secret|token|signature|invite|code|email)[\w.-]*=)[^&\s"#\\]+/gi;
const INNER_QUERY_SECRET =
  /((?:%3f|%26)[\w.-]*(?:password|secret|token|signature|invite|code|email)[\w.-]*%3d)(?:(?!%26)[^&\s"#\\])+/gi;
const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
const KEYS = /\b(?:whsec_[\w+/=]+|signkey-[\w-]+|Bearer [\w.~+/=-]+)/g;
/** What JSON leaves as it is, and terminals or readers of lines may take for an order or the end of a line. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * A line of JSON without what no log should keep: secrets by their field's name or their form, credentials and secrets in
 * addresses, e-mail addresses. It stays a line of JSON.
 */
export function mask(line: string): string {
  let masked = line.replace(SECRET_FIELD, '"$1":"[hidden]"').replace(KEYS, '[hidden]');
  // Long lists of order numbers hold neither = nor @ and need no search for addresses.
  if (masked.includes('='))
    masked = masked.replace(QUERY_SECRET, '$1[hidden]').replace(INNER_QUERY_SECRET, '$1[hidden]');
  if (masked.includes('@'))
    masked = masked.replace(URL_CREDENTIALS, '://[hidden]@').replace(EMAIL, '[e-mail]');
  return masked.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
