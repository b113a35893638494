/** Fields whose names contain these words are not for a log. */
const SECRET_FIELD =
  /"([\w.-]*(?:password|secret|token|cookie|authorization|signature)[\w.-]*)":"(?:[^"\\]|\\.)*"/gi;
const URL_CREDENTIALS = /:\/\/[^\s/"@]+@/g;
/** Query parameters that grant access or name a person; plain, or inside another address. */
const QUERY_SECRET =
  /([?&][\w.-]*(?:password|secret|token|signature|invite|code|email)[\w.-]*=)[^&\s"#\\]+/gi;
const INNER_QUERY_SECRET =
  /((?:%3f|%26)[\w.-]*(?:password|secret|token|signature|invite|code|email)[\w.-]*%3d)(?:(?!%26)[^&\s"#\\])+/gi;
const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
const KEYS =
  /\b(?:whsec_[\w+/=]+|[sr]k_(?:test|live)_\w+|(?:test|live)_[A-Za-z0-9]{20,}|signkey-[\w-]+|Bearer [\w.~+/=-]+)/g;
/**
 * Characters that JSON leaves as they are, and that terminals or readers of lines may take for a command or the end
 * of a line.
 */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * Removes from a line of JSON what no log should keep: secrets (found by field name or by form), credentials and
 * secrets in addresses, e-mail addresses. The result is still a line of JSON.
 */
export function mask(line: string): string {
  let masked = line.replace(SECRET_FIELD, '"$1":"[hidden]"').replace(KEYS, '[hidden]');
  // Long lists of order numbers contain neither = nor @, so they skip the search for addresses.
  if (masked.includes('='))
    masked = masked.replace(QUERY_SECRET, '$1[hidden]').replace(INNER_QUERY_SECRET, '$1[hidden]');
  if (masked.includes('@'))
    masked = masked.replace(URL_CREDENTIALS, '://[hidden]@').replace(EMAIL, '[e-mail]');
  return masked.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
