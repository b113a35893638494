/** The command was called wrongly or can't be carried out: one sentence for its caller, exit code 2. */
export class UsageError extends Error {}
