import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { BlockChanged } from '@/lib/block/block-subjects';
import type { BlockView } from '@/lib/contract/shapes/block';
import type { Db } from '@/lib/db/client';

const subjectOf = ({ kind, value }: BlockView) => ({ kind, id: value });
const recorded = ({ id, expiresAt, reason, by }: BlockView) => ({ blockId: id, expiresAt, reason, by });

/** Records in the audit log that a block was set or extended. */
export const recordBlock = (tx: Db, actor: Actor, { before, after }: BlockChanged): Promise<void> =>
  recordAction(tx, actor, {
    action: 'block.add',
    subject: subjectOf(after),
    before: before && recorded(before),
    after: recorded(after),
    reason: after.reason,
  });

/** Records in the audit log that a block was lifted. @param before as it was */
export const recordLift = (tx: Db, actor: Actor, before: BlockView): Promise<void> =>
  recordAction(tx, actor, {
    action: 'block.lift',
    subject: subjectOf(before),
    before: recorded(before),
    after: null,
  });
