/**
 * How the ids of load-test users begin; no other id does, as `newId` writes neither `l` nor `o`. They buy from one machine
 * and never pay: risk rules leave them alone, or the second load test within an hour would be blocked.
 */
export const LOAD_USER = 'user_load';
