/** The state of a request to a second person. `expired` is never stored: it follows from the time. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'failed', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
