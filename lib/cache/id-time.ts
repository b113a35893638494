const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^[a-z0-9]{1,16}_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/;

/** Returns when an id was made, in epoch ms, as `newId` wrote it; null if it is no such id. */
export function idTimeMs(id: string): number | null {
  const time = ID.exec(id)?.[1];
  if (time === undefined) return null;
  let ms = 0;
  for (const letter of time) ms = ms * 32 + ALPHABET.indexOf(letter);
  return ms;
}

/** Returns the lowest id of its kind made at `ms` or later; ids sort by their time. */
export function lowestIdAt(prefix: string, ms: number): string {
  let time = '';
  for (let rest = Math.max(0, Math.floor(ms)), i = 0; i < 10; i += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}${'0'.repeat(16)}`;
}
