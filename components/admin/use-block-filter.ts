'use client';

import { useState } from 'react';
import { BLOCK_KINDS, type BlockFilter } from './block-api';

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useBlockFilter(): [BlockFilter, (change: Partial<BlockFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<BlockFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [filter, change];
}

function readFilter(params: URLSearchParams): BlockFilter {
  return {
    state: params.get('state') === 'all' ? 'all' : 'live',
    kind: BLOCK_KINDS.find((kind) => kind === params.get('kind')) ?? '',
    value: params.get('value') ?? '',
  };
}
