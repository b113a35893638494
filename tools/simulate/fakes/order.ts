import { changeFakes } from './order/change';
import { findFakes } from './order/find';
import { insertFakes } from './order/insert';
import { priceFakes } from './order/price';
import type { outboxFakes } from './outbox';
import type { Session } from './session';

/** Makes the verbs on orders, over the simulated Postgres: same interface, same conditions. */
export function orderFakes(session: Session, outbox: ReturnType<typeof outboxFakes>) {
  return {
    ...insertFakes(session, outbox),
    ...changeFakes(session),
    ...findFakes(session),
    ...priceFakes(session),
  };
}
