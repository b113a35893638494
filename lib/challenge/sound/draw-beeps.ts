import 'server-only';
import { between, fraction } from '../random';

const RATE_HZ = 8_000;
const BEEP_MS = 110;
const GAP_MS = 120;
/** Long enough that nobody hears two groups as one. */
const PAUSE_MS = 850;
const LEAD_MS = 300;
/** Beeps fade in and out; otherwise each would begin and end with a click. */
const EDGE_MS = 12;
const HEADER_BYTES = 44;
/** The middle value of 8-bit samples. */
const SILENCE = 128;

const samplesIn = (ms: number): number => Math.round((ms / 1_000) * RATE_HZ);

/**
 * Makes groups of beeps as a WAV file: 8 kHz, 8 bits, one channel, which every browser plays. Pitch, loudness and
 * rhythm vary a little each time, over a little noise. Takes a millisecond; at most 52 KB for three groups of five.
 * @param groups how many beeps each has.
 */
export function drawBeeps(groups: readonly number[]): Buffer {
  const beeps = groups.flatMap((count, group) =>
    Array.from({ length: count }, (_, at) => (at === 0 && group > 0 ? PAUSE_MS : GAP_MS)),
  );
  const lengthMs = LEAD_MS + beeps.reduce((sum, pauseMs) => sum + pauseMs * 1.2 + BEEP_MS * 1.2, 0);
  const samples = Buffer.alloc(samplesIn(lengthMs + LEAD_MS));
  for (let at = 0; at < samples.length; at += 1) samples[at] = SILENCE + Math.floor(Math.random() * 7) - 3;
  let at = samplesIn(LEAD_MS);
  for (const pauseMs of beeps) {
    at += samplesIn(pauseMs * fraction(0.9, 1.2));
    at += addBeep(samples, at, samplesIn(BEEP_MS * fraction(0.9, 1.2)));
  }
  const used = samples.subarray(0, at + samplesIn(LEAD_MS));
  return Buffer.concat([header(used.length), used]);
}

/** Adds one beep. @returns its length in samples */
function addBeep(samples: Buffer, from: number, length: number): number {
  const [hz, loudness] = [between(500, 900), fraction(45, 70)];
  const edge = samplesIn(EDGE_MS);
  for (let at = 0; at < length; at += 1) {
    const swell = Math.min(1, at / edge, (length - at) / edge);
    const tone = Math.sin((2 * Math.PI * hz * at) / RATE_HZ);
    samples[from + at] = Math.round((samples[from + at] ?? SILENCE) + loudness * swell * tone);
  }
  return length;
}

/** Makes the bytes before the samples of a WAV file (RIFF, PCM). */
function header(length: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + length, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE_HZ, 24);
  bytes.writeUInt32LE(RATE_HZ, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(length, 40);
  return bytes;
}
