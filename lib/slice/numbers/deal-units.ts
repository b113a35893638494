/** Deals units to slices as evenly as possible: the first slices get one more where it does not come out even. */
export function dealUnits(units: number, slices: number): number[] {
  const each = Math.floor(units / slices);
  return Array.from({ length: slices }, (_, slice) => each + (slice < units % slices ? 1 : 0));
}
