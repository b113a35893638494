/**
 * The prefix of the ids of load-test users. No other id starts so, because `newId` writes neither `l` nor `o`.
 * Load-test users buy from one machine and never pay. Risk rules leave them alone, or they would block the second
 * load test within an hour.
 */
export const LOAD_USER = 'user_load';
