import { processWide } from '@/lib/process-wide';
import 'server-only';

const held = processWide('new-server', (): { check?: () => Promise<void> } => ({}));

/** Sets the check that must pass before a Redis that has just started sells anything. */
export function onNewServer(check: () => Promise<void>): void {
  held.check = check;
}

/** Runs that check, if one is set. @throws as the check: nothing may be sold yet. */
export const checkNewServer = async (): Promise<void> => held.check?.();
