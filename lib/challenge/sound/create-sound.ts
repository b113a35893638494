import 'server-only';
import type { SoundTask } from '@/lib/contract/shapes/challenge';
import { between } from '../random';
import { dataUrl } from '../render';
import { drawBeeps } from './draw-beeps';

export type SoundSecret = { kind: 'sound'; counts: number[] };

/** With one to five beeps each, a guess is right once in 125. */
const GROUPS = 3;
const MOST_BEEPS = 5;

/** Makes groups of beeps to count, for people who can't see a picture. */
export function createSound(): { task: SoundTask; secret: SoundSecret } {
  const counts = Array.from({ length: GROUPS }, () => between(1, MOST_BEEPS));
  return {
    task: { kind: 'sound', sound: dataUrl('audio/wav', drawBeeps(counts)), groups: GROUPS },
    secret: { kind: 'sound', counts },
  };
}
