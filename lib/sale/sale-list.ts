import type { CampaignLink } from '@/lib/contract/shapes/campaign';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import type { SalePhase } from '@/lib/contract/words/sale';
import {
  isAscending,
  LIST_GROUPS,
  type ListGroup,
  type ListPlace,
  listCursor,
  listGroupAt,
  parseListCursor,
} from '@/lib/sale/records/list-order';
import type { ListedSale } from '@/lib/sale/records/listed-sale';
import { salePhase } from '@/lib/stock/sale-phase';

/** A page of the list as JSON. It holds until something in the list changes, or until `until`, epoch ms. */
type ListPage = { body: string; until: number };

/** The sales that shoppers see, in memory. Gives any page of them at any moment without asking a store. */
export type SaleList = {
  /** Adds a sale, or replaces its known state. */
  put: (sale: ListedSale) => void;
  remove: (saleId: string) => void;
  ids: () => Iterable<string>;
  /** Returns the id of a sale in the list. */
  idOf: (slug: string) => string | undefined;
  size: () => number;
  /** Returns another number after every change. */
  version: () => number;
  /** Returns a campaign with its sales, the first start first, as JSON; null if none of the list belongs to it. */
  campaign: (slug: string, now: number) => ListPage | null;
  /** Tells whether a sale of the list belongs to the campaign. */
  hasCampaign: (slug: string) => boolean;
  /** Returns a page. @param page `limit` 1 to 100. @param now epoch ms by the clock that decides. */
  page: (page: { cursor?: string; limit: number }, now: number) => ListPage;
};

type Entry = { sale: ListedSale; phase: SalePhase | null; text: string };
/** The groups in order, valid from `from` until the next sale begins or ends. */
type Order = Record<ListGroup, Entry[]> & { from: number; until: number };

const byStart = (a: ListPlaceOf, b: ListPlaceOf): number =>
  a.startsAt - b.startsAt || (a.saleId < b.saleId ? -1 : a.saleId > b.saleId ? 1 : 0);
type ListPlaceOf = Pick<ListPlace, 'startsAt' | 'saleId'>;

export function createSaleList(): SaleList {
  const entries = new Map<string, Entry>();
  const slugs = new Map<string, string>();
  /** Campaign's slug → its sales. */
  const campaigns = new Map<string, Set<string>>();
  let order: Order | null = null;
  let version = 0;

  const join = ({ campaign, saleId }: ListedSale) => {
    if (!campaign) return;
    const members = campaigns.get(campaign.slug) ?? new Set();
    campaigns.set(campaign.slug, members.add(saleId));
  };
  const leave = ({ campaign, saleId }: ListedSale) => {
    const members = campaign && campaigns.get(campaign.slug);
    if (members?.delete(saleId) && members.size === 0) campaigns.delete(campaign?.slug ?? '');
  };

  const remove = (saleId: string) => {
    const entry = entries.get(saleId);
    if (!entry) return;
    entries.delete(saleId);
    slugs.delete(entry.sale.slug);
    leave(entry.sale);
    order = null;
    version += 1;
  };

  /** Sorting a thousand sales takes a third of a millisecond. Happens when a sale begins, ends, comes or goes. */
  const orderAt = (now: number): Order => {
    if (order && now >= order.from && now < order.until) return order;
    const made: Order = { running: [], coming: [], over: [], from: now, until: Number.POSITIVE_INFINITY };
    for (const entry of entries.values()) {
      const { startsAt, endsAt, closed } = entry.sale;
      made[listGroupAt(entry.sale, now)].push(entry);
      if (closed) continue;
      for (const at of [startsAt, endsAt]) if (at > now && at < made.until) made.until = at;
    }
    for (const group of LIST_GROUPS) {
      const direction = isAscending(group) ? 1 : -1;
      made[group].sort((a, b) => direction * byStart(a.sale, b.sale));
    }
    order = made;
    return made;
  };

  return {
    put(sale) {
      const before = entries.get(sale.saleId)?.sale;
      const keepsPlace =
        before?.startsAt === sale.startsAt && before.endsAt === sale.endsAt && before.closed === sale.closed;
      if (!keepsPlace) order = null;
      const known = entries.get(sale.saleId);
      if (known) {
        slugs.delete(known.sale.slug);
        leave(known.sale);
        Object.assign(known, { sale, phase: null });
      } else entries.set(sale.saleId, { sale, phase: null, text: '' });
      slugs.set(sale.slug, sale.saleId);
      join(sale);
      version += 1;
    },
    remove,
    ids: () => entries.keys(),
    idOf: (slug) => slugs.get(slug),
    size: () => entries.size,
    version: () => version,
    hasCampaign: (slug) => campaigns.has(slug),
    campaign(slug, now) {
      const members = [...(campaigns.get(slug) ?? [])].map((saleId) => entries.get(saleId) as Entry);
      const latest = members.sort((a, b) => byStart(a.sale, b.sale)).at(-1);
      if (!latest) return null;
      const link: CampaignLink | null = latest.sale.campaign;
      const texts = members.map((entry) => textOf(entry, now));
      return {
        body: `{"campaign":${JSON.stringify(link)},"sales":[${texts.join(',')}]}`,
        until: orderAt(now).until,
      };
    },
    page({ cursor, limit }, now) {
      const ordered = orderAt(now);
      const after = cursor === undefined ? null : parseListCursor(cursor);
      const found: { group: ListGroup; entry: Entry }[] = [];
      for (const group of LIST_GROUPS.slice(after ? LIST_GROUPS.indexOf(after.group) : 0)) {
        const all = ordered[group];
        // Reads one sale more than asked for, which tells whether there is a next page.
        for (let at = after?.group === group ? placeAfter(all, after) : 0; at < all.length; at += 1) {
          if (found.length > limit) break;
          found.push({ group, entry: all[at] as Entry });
        }
      }
      const last = found.length > limit ? found[limit - 1] : undefined;
      const texts = found.slice(0, limit).map(({ entry }) => textOf(entry, now));
      const nextCursor = last ? listCursor({ group: last.group, ...last.entry.sale }) : null;
      return {
        body: `{"sales":[${texts.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
        until: ordered.until,
      };
    },
  };
}

/** Finds the index in its group of the first sale after this place, by binary search. */
function placeAfter(group: readonly Entry[], place: ListPlace): number {
  const direction = isAscending(place.group) ? 1 : -1;
  let [from, to] = [0, group.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (direction * byStart((group[middle] as Entry).sale, place) > 0) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Returns a sale's JSON. Builds it again when the sale changes, begins, ends … */
function textOf(entry: Entry, now: number): string {
  const phase = salePhase({ ...entry.sale, serverTime: now });
  if (entry.phase === phase) return entry.text;
  // A list that the last release published says nothing of admissions, as it knows one, and nothing of titles by language.
  const { closed: _c, total, available, admission = 'first_come', titles = {}, ...shown } = entry.sale;
  entry.phase = phase;
  entry.text = JSON.stringify({
    ...shown,
    titles,
    admission,
    status: phase,
    stock: { total, available },
  } satisfies LiveSale);
  return entry.text;
}
