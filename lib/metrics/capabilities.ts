/**
 * Abilities that the release before lacks, and on which all running processes must agree before use. Each process
 * reports its own with its figures. Remove a name once no release without it can run beside ours any more.
 */
export const CAPABILITIES = [
  'slices',
  'queue',
  'campaigns',
  'waitlist',
  'lines',
  'variants',
  'wishes',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
