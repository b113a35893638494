import type { SaleLimits } from '@/lib/contract/shapes/limit';

/**
 * Returns the limits that each slice of a sale counts. A user's is exact, since all that the user buys is in one slice. That
 * of all users together is divided, rounded up. An address's or a device's stays whole: its users are in any slices, and dividing would
 * refuse two people of one household; so an address or a device gets through up to as many times its limit as there are slices.
 */
export function sliceLimits(limits: SaleLimits | null, slices: number): SaleLimits | null {
  if (slices === 1 || !limits?.interface) return limits;
  return {
    ...limits,
    interface: { ...limits.interface, limit: Math.ceil(limits.interface.limit / slices) },
  };
}
