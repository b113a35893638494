import 'server-only';
import { type BlockFilter, listBlocks } from '@/lib/block/list-blocks';
import type { BlockView } from '@/lib/block/types';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { type DeviceRefusals, readRefusals } from '@/lib/device/count-refusal';
import { isOutage } from '@/lib/errors/is-outage';

/** A block with the e-mail addresses of the accounts in it: the blocked one's and its author's, null for others. */
export type DeskBlock = BlockView & { email: string | null; byEmail: string | null };

export type DeskBlockPage = {
  blocks: DeskBlock[];
  nextCursor: string | null;
  /** Device cookies that were not believed today (UTC); null while nobody can tell. */
  refusedDevices: DeviceRefusals | null;
};

/** One page of the blocklist for the desk, newest first. @returns null for a foreign cursor. */
export async function listDeskBlocks(page: Page, filter: BlockFilter): Promise<DeskBlockPage | null> {
  const [list, refusedDevices] = await Promise.all([
    listBlocks(page, filter),
    readRefusals().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return null;
    }),
  ]);
  if (!list) return null;
  return { blocks: await withEmails(list.blocks), nextCursor: list.nextCursor, refusedDevices };
}

export async function withEmails(blocks: readonly BlockView[]): Promise<DeskBlock[]> {
  const ids = blocks.flatMap(({ kind, value, by }) => (kind === 'user' ? [value, by] : [by]));
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return blocks.map((block) => ({
    ...block,
    email: block.kind === 'user' ? (emails.get(block.value) ?? null) : null,
    byEmail: emails.get(block.by) ?? null,
  }));
}
