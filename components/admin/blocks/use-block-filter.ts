'use client';

import { BLOCK_KINDS, type BlockKind } from '@/lib/contract/words/block';
import { useUrlFilter } from '../kit/use-url-filter';

export interface BlockFilter {
  state: 'live' | 'all';
  kind: BlockKind | '';
  value: string;
}

/** Keeps the list's filter in the address, so that a link or a reload shows the same list. For the browser only. */
export const useBlockFilter = () => useUrlFilter(readFilter);

function readFilter(params: URLSearchParams): BlockFilter {
  return {
    state: params.get('state') === 'all' ? 'all' : 'live',
    kind: BLOCK_KINDS.find((kind) => kind === params.get('kind')) ?? '',
    value: params.get('value') ?? '',
  };
}
