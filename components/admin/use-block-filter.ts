'use client';

import { BLOCK_KINDS, type BlockFilter } from './block-api';
import { useUrlFilter } from './use-url-filter';

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export const useBlockFilter = () => useUrlFilter(readFilter);

function readFilter(params: URLSearchParams): BlockFilter {
  return {
    state: params.get('state') === 'all' ? 'all' : 'live',
    kind: BLOCK_KINDS.find((kind) => kind === params.get('kind')) ?? '',
    value: params.get('value') ?? '',
  };
}
