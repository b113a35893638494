import { describe, expect, it } from 'vitest';
import { allows, type ShopAct, TOPICS } from './shop';

const ACTS: ShopAct[] = [...TOPICS, 'work', 'export', 'members'];
const may = (role: 'owner' | 'editor' | 'viewer', topics: readonly (typeof TOPICS)[number][]) =>
  ACTS.filter((act) => allows({ role, topics }, act));

describe('[L4] what a member of a shop may do', () => {
  it('is everything for an owner, whatever the topics say', () => {
    expect(may('owner', [])).toEqual(ACTS);
  });

  it('is everything but the members for an editor with all topics', () => {
    expect(may('editor', TOPICS)).toEqual(['refunds', 'stock', 'settings', 'work', 'export']);
  });

  it('is narrowed by topics for an editor', () => {
    expect(may('editor', ['settings'])).toEqual(['settings', 'work', 'export']);
    expect(may('editor', [])).toEqual(['work', 'export']);
  });

  it('is nothing for a viewer, whatever the topics say', () => {
    expect(may('viewer', TOPICS)).toEqual([]);
  });
});
