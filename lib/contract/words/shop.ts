export const SHOP_ROLES = ['owner', 'editor', 'viewer'] as const;
export type ShopRole = (typeof SHOP_ROLES)[number];

/** What an editor can be narrowed to. */
export const TOPICS = ['refunds', 'stock', 'settings'] as const;
export type ShopTopic = (typeof TOPICS)[number];

/**
 * What a member of a shop does besides looking at it: one of the topics, `work` (what needs no topic: retry, compare,
 * acknowledge), `export` (take personal data away), or `members` (change the shop's name and its members).
 */
export type ShopAct = ShopTopic | 'work' | 'export' | 'members';

/** A person's standing in a shop. `topics` counts for editors alone. */
export type Standing = { role: ShopRole; topics: readonly ShopTopic[] };

/** Tells whether a member may do an act: owners everything, editors what their topics allow, viewers nothing. */
export function allows({ role, topics }: Standing, act: ShopAct): boolean {
  if (role === 'owner') return true;
  if (role === 'viewer' || act === 'members') return false;
  return act === 'work' || act === 'export' || topics.includes(act);
}
