import { type AdmissionStep, TURN_MS } from './types';

/** Returns when the turn of a place ends that was not used yet, epoch ms; null: it has not come, or came long ago. */
export function turnEndsAt(steps: readonly AdmissionStep[], place: number): number | null {
  const step = steps.find(([, admitted]) => admitted > place);
  return step ? step[0] + TURN_MS : null;
}
