import 'server-only';
import type { SaleNoticeKind } from '@/lib/contract/words/notice';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { type SaleNoticeFor, saleNoticeKey, writeSaleNotices } from '@/lib/notify/write-sale-notices';
import { type NewMessage, putMessages } from '@/lib/outbox/put-message';
import { isOn } from '@/lib/switchboard/is-on';
import { listDueNotices, type WaitingNotice, type WaitingNoticeKind } from './list-due';
import { readWaiting } from './read-waiting';

/** Of 500 people each; once a second. 200,000 people are told within two minutes, and other writers get their turn. */
const ROUNDS = 4;

const NOTICE_OF: Record<WaitingNoticeKind, SaleNoticeKind> = {
  draw_waiting: 'draw_waiting',
  line_over: 'sale_over',
  waitlist_over: 'sale_over',
};

/**
 * Tells everybody who waits what has become of the waiting, in the shop and by mail: those a draw left in line, with their
 * place; those who still wait when a sale is over. Each once, also who waits in two lists, whichever workers do it and wherever
 * one dies: list, notices, mails and how far it came are one transaction. While notices are switched off it waits.
 * @returns how many people were told. @throws connection errors, after every sale has had its turn
 */
export async function notifyWaiting(): Promise<number> {
  if (!isOn('notices')) return 0;
  let told = 0;
  let outage: unknown;
  for (const notice of await listDueNotices()) {
    try {
      told += await notify(notice);
    } catch (err) {
      if (isOutage(err)) outage ??= err;
      else log.error({ ...notice, err }, 'those who wait could not be told');
    }
  }
  if (outage) throw outage;
  return told;
}

async function notify(notice: WaitingNotice): Promise<number> {
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await transaction((tx) => notifySome(tx, notice));
    told += page.told;
    if (page.isEnd) break;
  }
  return told;
}

/** Tells the next 500. Of several workers one does; the others have nothing to do. */
async function notifySome(tx: Db, notice: WaitingNotice): Promise<{ told: number; isEnd: boolean }> {
  const { saleId, kind } = notice;
  const nothing = { told: 0, isEnd: true };
  await tx.$executeRaw`
    INSERT INTO waiting_notices (sale_id, kind) VALUES (${saleId}, ${kind}) ON CONFLICT DO NOTHING`;
  const [claim] = await tx.$queryRaw<{ notified_to: bigint }[]>`
    SELECT notified_to FROM waiting_notices WHERE sale_id = ${saleId} AND kind = ${kind} AND done_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  if (!claim) return nothing;
  const page = await readWaiting(tx, notice, Number(claim.notified_to));
  if (!page) return nothing;
  const isNew = await writeSaleNotices(tx, saleId, NOTICE_OF[kind], page.people);
  await putMessages(
    tx,
    isNew.map((person) => mailTo(person, notice)),
  );
  await tx.$executeRaw`
    UPDATE waiting_notices SET notified_to = ${page.last}, notified = notified + ${isNew.length},
           done_at = CASE WHEN ${page.isEnd} THEN now() END
    WHERE sale_id = ${saleId} AND kind = ${kind}`;
  // Whoever comes later finds the way in shut.
  if (page.isEnd && kind === 'line_over')
    await tx.$executeRaw`UPDATE lines SET closed = true, updated_at = now() WHERE sale_id = ${saleId} AND NOT closed`;
  return { told: isNew.length, isEnd: page.isEnd };
}

function mailTo({ userId, place }: SaleNoticeFor, { saleId, kind }: WaitingNotice): NewMessage {
  const notice = NOTICE_OF[kind];
  return {
    topic: 'crowd-mail',
    payload: {
      kind: notice,
      key: saleNoticeKey(notice, saleId, userId),
      saleId,
      userId,
      ...(place === null ? {} : { place: String(place) }),
    },
  };
}
