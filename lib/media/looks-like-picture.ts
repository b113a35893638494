/** How files of the accepted formats begin, as Latin-1. */
const BEGINNINGS = [
  /^\xff\xd8\xff/, // JPEG
  // biome-ignore lint/suspicious/noControlCharactersInRegex: files begin with such bytes
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF[\s\S]{4}WEBP/,
  /^[\s\S]{4}ftypavif/,
];
const LONGEST = 12;

/** Tells by its first bytes whether a file may be a JPEG, PNG, WebP or AVIF. Its decoder decides whether it is one. */
export function looksLikePicture(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, LONGEST)).toString('latin1');
  return BEGINNINGS.some((pattern) => pattern.test(beginning));
}
