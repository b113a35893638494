import { isForPrograms } from '@/lib/http/is-for-programs';

export type HotRoute =
  | { name: 'purchase'; saleId: string; gate: string }
  | { name: 'state'; saleId: string; isForClock: boolean }
  | { name: 'order'; orderNo: string }
  | { name: 'events'; saleId: string }
  | { name: 'sales'; query: string }
  | { name: 'page' };

const LIST = '/api/sales';
const SALES = '/api/sales/';
const ORDERS = '/api/orders/';
const EVENTS = '/events';
/** Matches ids that need no decoding and mean the same to every parser. */
const PLAIN = /^[A-Za-z0-9_-]+$/;
/** Whatever its query, a page stays the same page: the browser reads the query. */
const PAGE = /^(?:\/|(?:\/[A-Za-z0-9_-]+)+)(?:\?[\x21-\x7e]*)?$/;
const HEALTH = /^\/(?:livez|readyz)(?:[/?]|$)/;
/** All handlers read the query leniently, and one place refuses nonsense. */
const QUERY = /^\?[\x21\x24-\x7e]*$/;
const CLOCK = /^clock=[A-Za-z0-9]*$/;
const RESERVED = new Set(['purchase', 'entry', 'state', 'events']);

/**
 * Returns the hot route of a request, or null: then a direct route, a kept file, a refusal or Next answers. Works on the raw
 * request target and recognizes only
 * its plainest spelling. Leaves percent-encoding, doubled or trailing slashes, dots, unknown queries and other
 * methods to Next, so that the two can't read anything differently.
 */
export function matchRoute(method: string | undefined, target: string): HotRoute | null {
  if (method === 'POST') return matchPurchase(target);
  if (method !== 'GET') return null;
  if (target.startsWith(LIST) && target[LIST.length] !== '/') return matchList(target.slice(LIST.length));
  if (target.startsWith(SALES)) return target.endsWith(EVENTS) ? matchEvents(target) : matchState(target);
  if (target.startsWith(ORDERS)) {
    const orderNo = target.slice(ORDERS.length);
    return PLAIN.test(orderNo) ? { name: 'order', orderNo } : null;
  }
  return PAGE.test(target) && !isForPrograms(target) && !HEALTH.test(target) ? { name: 'page' } : null;
}

function matchList(rest: string): HotRoute | null {
  if (rest === '') return { name: 'sales', query: '' };
  return QUERY.test(rest) ? { name: 'sales', query: rest.slice(1) } : null;
}

function matchPurchase(target: string): HotRoute | null {
  if (!target.startsWith(SALES)) return null;
  const end = target.indexOf('/', SALES.length);
  if (end === -1 || !target.startsWith('/purchase/', end)) return null;
  const saleId = target.slice(SALES.length, end);
  const gate = target.slice(end + 10);
  return PLAIN.test(saleId) && PLAIN.test(gate) ? { name: 'purchase', saleId, gate } : null;
}

function matchState(target: string): HotRoute | null {
  const end = target.indexOf('/', SALES.length);
  if (end === -1 || !target.startsWith('/state', end)) return null;
  const saleId = target.slice(SALES.length, end);
  if (!PLAIN.test(saleId) || RESERVED.has(saleId)) return null;
  const rest = target.slice(end + 6);
  if (rest === '') return { name: 'state', saleId, isForClock: false };
  return rest.startsWith('?') && CLOCK.test(rest.slice(1))
    ? { name: 'state', saleId, isForClock: true }
    : null;
}

function matchEvents(target: string): HotRoute | null {
  const saleId = target.slice(SALES.length, -EVENTS.length);
  return PLAIN.test(saleId) && !RESERVED.has(saleId) ? { name: 'events', saleId } : null;
}
