import type { SimProcess } from '../sim-process';
import type { PlaceRow } from '../stores/rows';
import { sqlError, type Transaction } from '../stores/tables';
import type { Session } from './session';

const MOST_WAITING = 1_000_000;
const AT_ONCE = 500;
const HOUR_MS = 3_600_000;

const keyOf = ({ saleId, number }: Pick<PlaceRow, 'saleId' | 'number'>) => `${saleId} ${number}`;
const isOpen = ({ leftAt, givenAt, passedAt }: PlaceRow) =>
  leftAt === null && givenAt === null && passedAt === null;
const byNumber = (a: PlaceRow, b: PlaceRow) => a.number - b.number;

/** Makes the verbs on waitlists, over the simulated Redis and Postgres: same interface, same conditions. */
export function waitlistFakes(process: SimProcess, session: Session) {
  const { waitlist } = process.world;
  const { places, orders, letters, sales } = session.store;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);
  const ofSale = (tx: Transaction, saleId: string) =>
    places.find(tx, (row) => row.saleId === saleId).sort(byNumber);
  const isBefore = (before: number | null) => (row: PlaceRow) =>
    isOpen(row) && (before === null || row.number < before);

  return {
    'lib/waitlist/join-in-redis': {
      MOST_WAITING,
      joinInRedis: (asked, cap = MOST_WAITING) =>
        ask(`join waitlist ${asked.orderNo} of ${asked.userId}`, () => waitlist.join(asked, cap)),
    } satisfies typeof import('@/lib/waitlist/join-in-redis'),

    'lib/waitlist/enlist-in-redis': {
      enlistInRedis: (sale, people) =>
        ask(`enlist ${people.map(({ userId }) => userId)}`, () => waitlist.enlist(sale, people)),
    } satisfies typeof import('@/lib/waitlist/enlist-in-redis'),

    'lib/waitlist/leave-in-redis': {
      leaveInRedis: (saleId, userId) => {
        // Read at once: with a call of its own, known seeds would draw other schedules.
        const number = waitlist.numberOf(saleId, userId);
        return ask(`leave waitlist ${userId}`, () => waitlist.leave(saleId, userId, number));
      },
      takeOffServed: (saleId, userId, orderNo) =>
        ask(`take off who has ${orderNo}`, () => waitlist.takeOffServed(saleId, userId, orderNo)),
    } satisfies typeof import('@/lib/waitlist/leave-in-redis'),

    'lib/checkout/waitlist/serve-waitlist': {
      serveWaitlist: async (sale) => (await ask('serve waitlist', () => waitlist.serve(sale, AT_ONCE))) ?? 0,
    } satisfies typeof import('@/lib/checkout/waitlist/serve-waitlist'),

    'lib/waitlist/list-waitlists': {
      listWaitlists: () =>
        session.run(session.db, 'list waitlists', (tx) =>
          sales
            .find(tx, (row) => row.waitlist && row.status !== 'draft')
            .filter(({ startsAt, endsAt }) => {
              const [from, to] = [startsAt.getTime(), endsAt.getTime()];
              return from <= session.now && to > session.now - HOUR_MS;
            })
            .map(({ id: saleId, epoch }) => ({ saleId, epoch })),
        ),
    } satisfies typeof import('@/lib/waitlist/list-waitlists'),

    'lib/waitlist/write-places': {
      writePlaces: (given) =>
        session.run(session.db, `write places ${given.map(({ number }) => number)}`, async (tx) => {
          const written = new Set<string>();
          for (const { epoch, ...place } of given) {
            // The real lock lets other updates of the row pass; a rebuild it keeps waiting just so.
            await tx.lock(sales, place.saleId);
            if (sales.get(tx, place.saleId)?.epoch !== epoch) continue;
            const row: PlaceRow = { ...place, leftAt: null, givenAt: null, passedAt: null };
            const isNew = await places.insert(tx, keyOf(row), row);
            // Only of a number that is new: the other one is settled before its order number matters.
            if (isNew && (await places.isTaken(tx, (other) => isTwin(other, row)))) {
              throw sqlError('23505', 'waitlist_entries_order_key');
            }
            if (!isNew && places.get(tx, keyOf(row))?.orderNo !== row.orderNo) continue;
            written.add(`${row.saleId}/${row.number}`);
          }
          return written;
        }),
    } satisfies typeof import('@/lib/waitlist/write-places'),

    'lib/waitlist/leave-in-database': {
      leaveInDatabase: (saleId, userId) =>
        session.run(session.db, `leave places of ${userId}`, async (tx) => {
          // The statement sees the rows that were there when it began, also if it has to wait then.
          const seen = ofSale(tx, saleId).filter((row) => row.userId === userId && isOpen(row));
          await tx.lock(sales, saleId);
          let left = 0;
          for (const row of seen)
            if (await places.update(tx, keyOf(row), isOpen, { leftAt: session.now })) left += 1;
          return left;
        }),
    } satisfies typeof import('@/lib/waitlist/leave-in-database'),

    'lib/waitlist/note-given': {
      noteGiven: (client, saleId, before) =>
        session.run(client, `note given before ${before}`, async (tx) => {
          const due = ofSale(tx, saleId)
            .filter(isBefore(before))
            .filter(({ orderNo }) => orders.get(tx, orderNo) !== null)
            .filter((row) => !places.cell(keyOf(row)).owner)
            .slice(0, AT_ONCE);
          for (const row of due) await places.update(tx, keyOf(row), () => true, { givenAt: session.now });
          // Nobody is told to wait after a draw here.
          return due.map(({ orderNo, jti }) => ({ orderNo, isWon: jti.startsWith('draw_') }));
        }),
    } satisfies typeof import('@/lib/waitlist/note-given'),

    'lib/waitlist/passed-over': {
      readOpen: (client, saleId, before, most) =>
        session.run(client, `read open places before ${before}`, (tx) =>
          ofSale(tx, saleId)
            .filter(isBefore(before))
            .slice(0, most)
            .map(({ number, userId }) => ({ number: BigInt(number), userId })),
        ),
      writePassedOver: (client, saleId, numbers) =>
        session.run(client, `passed over ${numbers}`, async (tx) => {
          let count = 0;
          for (const number of numbers) {
            const hasNoOrder = ({ orderNo }: PlaceRow) => orders.get(tx, orderNo) === null;
            const key = keyOf({ saleId, number: Number(number) });
            if (await places.update(tx, key, hasNoOrder, { passedAt: session.now })) count += 1;
          }
          return count;
        }),
    } satisfies typeof import('@/lib/waitlist/passed-over'),

    'lib/waitlist/read-waiting': {
      readWaiting: (client, saleId, after, most) =>
        session.run(client, 'read who waits', (tx) => {
          const all = ofSale(tx, saleId);
          const isLatest = ({ userId, number }: PlaceRow) =>
            !all.some((later) => later.userId === userId && later.number > number);
          const isGivenUp = ({ orderNo }: PlaceRow) =>
            letters.find(tx, (letter) => letter.saleId === saleId && letter.orderNo === orderNo).length > 0;
          return all
            .filter((row) => row.number > Number(after) && isOpen(row) && isLatest(row))
            .filter((row) => orders.get(tx, row.orderNo) === null && !isGivenUp(row))
            .slice(0, most)
            .map(({ number, userId, jti, orderNo }) => ({ number: BigInt(number), userId, jti, orderNo }));
        }),
      readLastPlace: (client, saleId) =>
        session.run(client, 'read last place', (tx) => ofSale(tx, saleId).at(-1)?.number ?? 0),
    } satisfies typeof import('@/lib/waitlist/read-waiting'),

    'lib/waitlist/find-latest': {
      findLatestPlace: (saleId, userId) =>
        session.run(session.db, `find latest place of ${userId}`, (tx) => {
          const row = ofSale(tx, saleId)
            .filter((each) => each.userId === userId)
            .at(-1);
          if (!row) return null;
          const { orderNo, givenAt, leftAt, passedAt } = row;
          const end =
            givenAt !== null ? 'given' : leftAt !== null ? 'left' : passedAt !== null ? 'passed_over' : null;
          return { orderNo, end };
        }),
    } satisfies Pick<typeof import('@/lib/waitlist/find-latest'), 'findLatestPlace'>,

    // Entry is not simulated: only the headers that its answers share with those of the waitlist.
    'lib/checkout/entry/answer-entry': { JSON_HEADERS: { 'content-type': 'application/json' } },
  };
}

/** Tells whether another place has the same order number, which the index refuses. */
const isTwin = (other: PlaceRow, row: PlaceRow) =>
  other.orderNo === row.orderNo && (other.number !== row.number || other.saleId !== row.saleId);
