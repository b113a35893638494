/** Names under which processed messages and dead letters are recorded. */
export const CREATE_ORDERS = 'create-orders';
export const CONFIRM_PAID = 'confirm-paid';
export const SET_TIMERS = 'set-timers';
export const RELEASE_UNPAID = 'release-unpaid';
export const RETURN_MONEY = 'refund-late';
