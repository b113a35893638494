/** How files of the formats begin that the shop takes, as Latin-1; `.` is any byte. */
const BEGINNINGS = [
  /^\xff\xd8\xff/, // JPEG
  // biome-ignore lint/suspicious/noControlCharactersInRegex: files begin with such bytes
  /^\x89PNG\r\n\x1a\n/,
  /^RIFF[\s\S]{4}WEBP/,
  /^[\s\S]{4}ftypavi[fs]/,
  /^GIF8[79]a/,
];
const LONGEST = 12;

/** Tells by its first bytes whether a file may be a JPEG, PNG, WebP, AVIF or GIF. Whether it is, its decoder tells. */
export function looksLikePicture(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, LONGEST)).toString('latin1');
  return BEGINNINGS.some((pattern) => pattern.test(beginning));
}
