/** The challenges that a person solves; each needs other senses and another way to answer. */
export const PUZZLES = ['slider', 'arithmetic', 'sound'] as const;

export const CHALLENGE_KINDS = ['pow', ...PUZZLES] as const;
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];
