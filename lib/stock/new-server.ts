import { processWide } from '@/lib/process-wide';
import 'server-only';

const held = processWide('new-server', (): { check?: () => Promise<void> } => ({}));

/** Sets the check that must pass before a Redis server that has just started may sell anything. */
export function onNewServer(check: () => Promise<void>): void {
  held.check = check;
}

/** Runs that check, if one is set. @throws the check's error: nothing may be sold yet. */
export const checkNewServer = async (): Promise<void> => held.check?.();
