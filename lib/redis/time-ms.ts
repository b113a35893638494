/** Converts the reply of Redis's `TIME` to epoch ms. */
export const timeMs = ([seconds, micros]: readonly (string | number)[]): number =>
  Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
