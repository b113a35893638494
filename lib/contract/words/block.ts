/** Subjects to block: an account, an address or network, a device. */
export const BLOCK_KINDS = ['user', 'ip', 'device'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Why a subject can't be blocked. */
export const SUBJECT_PROBLEMS = ['not_an_id', 'not_a_network', 'too_wide'] as const;
export type SubjectProblem = (typeof SUBJECT_PROBLEMS)[number];

/** The column that makes a line of an import unreadable. */
export const ROW_PROBLEMS = ['kind', 'reason', 'expires_at'] as const;
export type RowProblem = (typeof ROW_PROBLEMS)[number];
