/** Returns a short name for a set of words; another set is unlikely to have the same one. (FNV-1a, 32 bits) */
export function fingerprint(words: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of [...words].sort().join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
