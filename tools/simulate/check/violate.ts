/** Takes note of a contradiction, and of the invariant that it breaks. */
export type Violate = (rule: number | string, problem: string) => void;
