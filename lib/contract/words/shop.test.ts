import { describe, expect, it } from 'vitest';
import { allows, SHOP_TOPICS, type ShopAct, type ShopRole, type ShopTopic } from './shop';

const ACTS: ShopAct[] = ['see', ...SHOP_TOPICS, 'work', 'export', 'members'];
const may = (role: ShopRole, topics: readonly ShopTopic[]) =>
  ACTS.filter((act) => allows({ role, topics }, act));

describe('[L4] what a member of a shop may do', () => {
  it('is everything for an owner, whatever the topics say', () => {
    expect(may('owner', [])).toEqual(ACTS);
  });

  it('is everything but the members for an editor with all topics, and less with fewer', () => {
    expect(may('editor', SHOP_TOPICS)).toEqual(['see', 'refunds', 'stock', 'settings', 'work', 'export']);
    expect(may('editor', ['settings'])).toEqual(['see', 'settings', 'work', 'export']);
    expect(may('editor', [])).toEqual(['see', 'work', 'export']);
  });

  it('is looking for a viewer, whatever the topics say', () => {
    expect(may('viewer', SHOP_TOPICS)).toEqual(['see']);
  });
});
