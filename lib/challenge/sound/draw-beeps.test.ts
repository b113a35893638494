import { describe, expect, it } from 'vitest';
import { drawBeeps } from './draw-beeps';

const HEADER_BYTES = 44;
const RATE_HZ = 8_000;

/** Counts the beeps in each group as a listener would: quiet parts separate loud ones, and a pause ends a group. */
function listen(wav: Buffer): number[] {
  const samples = wav.subarray(HEADER_BYTES);
  const isLoud = (at: number) => samples.subarray(at, at + 80).some((sample) => Math.abs(sample - 128) > 25);
  const groups: number[] = [];
  let quietMs = Number.POSITIVE_INFINITY;
  for (let at = 0; at < samples.length; at += 80) {
    if (!isLoud(at)) {
      quietMs += 10;
      continue;
    }
    if (quietMs > 500) groups.push(0);
    if (quietMs > 50) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
    quietMs = 0;
  }
  return groups;
}

describe('[G4] beeps', () => {
  it('can be counted: every combination there is', () => {
    for (const a of [1, 2, 3, 4, 5])
      for (const b of [1, 3, 5])
        for (const c of [1, 2, 5]) expect(listen(drawBeeps([a, b, c]))).toEqual([a, b, c]);
  });

  it('are a WAV file of bounded size that lasts as long as it says, another one each time', () => {
    const [one, two] = [drawBeeps([5, 5, 5]), drawBeeps([5, 5, 5])];
    expect(one.toString('latin1', 0, 4) + one.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(one.readUInt32LE(24)).toBe(RATE_HZ);
    expect(one.readUInt32LE(40)).toBe(one.length - HEADER_BYTES);
    expect(one.readUInt32LE(4)).toBe(one.length - 8);
    expect(one.length).toBeLessThan(52_000);
    expect(one.equals(two)).toBe(false);
  });
});
