import { processWide } from '@/lib/process-wide';
import 'server-only';

const held = processWide('new-server', (): { check?: () => Promise<void> } => ({}));

/** Says what has to be made sure of before anything is sold by a Redis that was started a moment ago. */
export function onNewServer(check: () => Promise<void>): void {
  held.check = check;
}

/** Makes sure of it; nothing if nobody said what. @throws as the check: nothing may be sold yet. */
export const checkNewServer = async (): Promise<void> => held.check?.();
