import { execute } from './database';

type Points = { saleId: string; orderNo: string };

/** Puts a message into the product's outbox that nobody can serve: its kind is unknown. It becomes a dead letter at once. */
export const putUnreadable = (payload: Points) =>
  execute(`INSERT INTO outgoing_messages (topic, payload) VALUES ('points', $1)`, [
    JSON.stringify({ ...payload, kind: 'unheard-of' }),
  ]);

/** Makes a dead letter of points whose service was asleep ten times. If the order exists, trying again succeeds. */
export const putGivenUp = (payload: Points) =>
  execute(
    `INSERT INTO dead_letters (consumer, message_id, sale_id, order_no, payload, error, attempts)
     VALUES ('points', nextval(pg_get_serial_sequence('outgoing_messages', 'id')), $1, $2, $3, 'the points service is asleep', 10)`,
    [payload.saleId, payload.orderNo, JSON.stringify({ ...payload, kind: 'earned' })],
  );
