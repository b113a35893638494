import { processWide } from '@/lib/process-wide';
import 'server-only';

/** Looks at the sales of the server that holds `saleId`. */
type Check = (saleId: string) => Promise<void>;

const held = processWide('new-server', (): { check?: Check } => ({}));

/** Sets the check that must pass before a Redis server that has just started may sell anything. */
export function onNewServer(check: Check): void {
  held.check = check;
}

/** Runs that check, if one is set. @throws the check's error: nothing may be sold there yet. */
export const checkNewServer: Check = async (saleId) => held.check?.(saleId);
