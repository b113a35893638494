/** Where a question to a second person stands. Nobody writes `expired` down: the clock says so. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'failed', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
