import 'server-only';
import { reachMollie } from './reach-mollie';

/** The most payments of a page: Mollie's own limit. */
const PAGE = 250;

/**
 * Reads a page of Mollie's list, which is in the order in which payments were made.
 * @param from where it begins, by Mollie's id; left out: at the newest, or at the oldest
 */
export const listPayments = (sort: 'asc' | 'desc', from?: string) =>
  reachMollie((mollie) => mollie.payments.page({ sort, limit: PAGE, ...(from !== undefined && { from }) }));
