import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseFilter } from './parse-filter';

const schema = z.object({ q: z.string().optional(), state: z.enum(['open', 'closed']).optional() });
const filter = (query: string) => parseFilter(`http://shop.test/x?${query}`, schema);

describe('a filter', () => {
  it('[L3] is read out of the query, what is empty or not asked for left out', () => {
    expect(filter('q=lamp&state=open&role=admin&__proto__=x').data).toEqual({ q: 'lamp', state: 'open' });
    expect(filter('q=&state=').data).toEqual({});
    expect(filter('state=nonsense').success).toBe(false);
  });

  it('[N8] of a name that comes twice is the first, never a list', () => {
    expect(filter('q=lamp&q=other&q=third').data).toEqual({ q: 'lamp' });
    expect(filter('state=open&state=nonsense').data).toEqual({ state: 'open' });
    expect(filter('q[]=lamp&q[x]=lamp').data).toEqual({});
  });
});
