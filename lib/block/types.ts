import type { Block as BlockRow } from '@/prisma/generated/client';

/** What can be blocked: an account, an address or network, a device. */
export const BLOCK_KINDS = ['user', 'ip', 'device'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Longest reason, in characters. */
export const MAX_REASON_LENGTH = 500;

/** A block as the desk sees it. Times in epoch ms. */
export type BlockView = {
  id: string;
  kind: BlockKind;
  /** User id; address or network; device id. */
  value: string;
  reason: string;
  /** User id, or `rule:<id>`. */
  by: string;
  createdAt: number;
  /** Null: until it is lifted. */
  expiresAt: number | null;
  liftedAt: number | null;
  liftedBy: string | null;
};

/** The row in the product's words. */
export function toView(row: BlockRow): BlockView {
  return {
    id: String(row.id),
    kind: row.kind as BlockKind,
    value: row.value,
    reason: row.reason,
    by: row.blockedBy,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? null,
    liftedAt: row.liftedAt?.getTime() ?? null,
    liftedBy: row.liftedBy,
  };
}
