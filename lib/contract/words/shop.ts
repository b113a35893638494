export const SHOP_ROLES = ['owner', 'editor', 'viewer'] as const;
export type ShopRole = (typeof SHOP_ROLES)[number];

/** The topics to which an editor can be narrowed. */
export const SHOP_TOPICS = ['refunds', 'stock', 'settings'] as const;
export type ShopTopic = (typeof SHOP_TOPICS)[number];

/**
 * The acts of a member in a shop: `see` it, one of the topics, `work` (what needs no topic: retry, compare, acknowledge),
 * `export` (take personal data away), or `members` (change the shop's name and its members).
 */
export type ShopAct = ShopTopic | 'see' | 'work' | 'export' | 'members';

/** A person's standing in a shop. `topics` counts for editors alone. */
export type Standing = { role: ShopRole; topics: readonly ShopTopic[] };

/** Tells whether a member may do an act: owners everything, editors what their topics allow, viewers look. */
export function allows({ role, topics }: Standing, act: ShopAct): boolean {
  if (role === 'owner' || act === 'see') return true;
  if (role === 'viewer' || act === 'members') return false;
  return act === 'work' || act === 'export' || topics.includes(act);
}
