import { afterAll, beforeAll, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { closeRedis } from '@/lib/redis/client';
import { SEED } from '@/test/support/random';
import { meetFaults } from './faults';
import { liveThrough, type Subject } from './history';
import { campaign } from './subjects/campaign';
import { draw, wishedDraw } from './subjects/draw';
import { purchase } from './subjects/purchase';
import { queue } from './subjects/queue';
import { reservation } from './subjects/reservation';
import { slices } from './subjects/slices';
import { variants } from './subjects/variants';
import { waitingRoom } from './subjects/waiting-room';
import { waitlist, wishes } from './subjects/waitlist';

/** How many of each kind; a night takes thousands (`TEST_HISTORIES=2000`). */
const HISTORIES = Number(process.env.TEST_HISTORIES ?? 4);

const SUBJECTS: [ids: string, Subject][] = [
  ['[C1 C6 E3 E4 F5 I9 I10]', purchase],
  ['[M10]', slices],
  ['[O3]', variants],
  ['[C10]', queue],
  ['[A8]', campaign],
  ['[H2]', reservation],
  ['[M2]', waitlist],
  ['[M2 O3]', wishes],
  ['[M1 M4]', waitingRoom],
  ['[M4 P2]', draw],
  ['[M4 O3 P2]', wishedDraw],
];

beforeAll(meetFaults);
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

it.each(SUBJECTS.map(([ids, subject]) => [ids, subject.name, subject] as const))(
  '%s %s keeps every promise, whoever dies, stands still or is lost on the way',
  async (_ids, _name, subject) => {
    for (let nth = 0; nth < HISTORIES; nth += 1) await liveThrough(subject, SEED + nth);
  },
  24 * 3_600_000,
);
