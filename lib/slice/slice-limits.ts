import type { SaleLimits } from '@/lib/contract/shapes/limit';

/**
 * Returns the limits that each slice of a sale counts. A user's is exact, since one user's purchases are in one slice.
 * The limit of all users together is divided, rounded up. An address's or device's stays whole, or two people of one
 * household would be refused: over n slices it lets up to n times as many through.
 */
export function sliceLimits(limits: SaleLimits | null, slices: number): SaleLimits | null {
  if (slices === 1 || !limits?.interface) return limits;
  return {
    ...limits,
    interface: { ...limits.interface, limit: Math.ceil(limits.interface.limit / slices) },
  };
}
