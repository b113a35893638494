import { fetchJson } from '@/components/api/fetch-json';

export const BLOCK_KINDS = ['user', 'ip', 'device'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

export interface BlockView {
  id: string;
  kind: BlockKind;
  value: string;
  /** Of an account. */
  email: string | null;
  reason: string;
  by: string;
  /** Of the account that blocked it; null if a rule did. */
  byEmail: string | null;
  createdAt: number;
  expiresAt: number | null;
  liftedAt: number | null;
}

export interface BlockPage {
  blocks: BlockView[];
  nextCursor: string | null;
  refusedDevices: { altered: number; expired: number; other_browser: number } | null;
}

export interface BlockFilter {
  state: 'live' | 'all';
  kind: BlockKind | '';
  value: string;
}

export interface NewBlock {
  kind: BlockKind;
  value: string;
  reason: string;
  expiresAt: number | null;
}

export interface BlockImport {
  imported: number;
  failed: number;
  errors: { line: number; problem: string }[];
}

const BLOCKS = '/api/admin/blocks';
const IMPORT_WITHIN_MS = 60_000;

const query = (filter: BlockFilter, cursor: string | null = null) =>
  new URLSearchParams({ ...filter, cursor: cursor ?? '' }).toString();

export const getBlocks = (filter: BlockFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<BlockPage>(`${BLOCKS}?${query(filter, cursor)}`, { signal, cache: 'no-store' });

export const postBlock = (body: NewBlock) => fetchJson<BlockView>(BLOCKS, { method: 'POST', body });

export const postLift = (id: string) =>
  fetchJson<BlockView>(`${BLOCKS}/${id}/lift`, { method: 'POST', body: {} });

export const postImport = (csv: string) =>
  fetchJson<BlockImport>(`${BLOCKS}/import`, { method: 'POST', body: { csv }, timeoutMs: IMPORT_WITHIN_MS });

/** Where the list can be fetched as a file. */
export const exportPath = (filter: BlockFilter) => `${BLOCKS}/export?${query(filter)}`;
