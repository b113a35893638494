/** Why somebody who was drawn gets nothing; column `line_entries.passed_over`. */
export const PASSED_OVER = [
  'left',
  'banned',
  'blocked',
  'level_too_low',
  'account_too_new',
  'email_unverified',
] as const;
export type PassedOver = (typeof PASSED_OVER)[number];
