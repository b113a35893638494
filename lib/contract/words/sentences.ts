/** All sentences of a verification, in English. The admin area finds the same in its reader's language, by the code. */
export const SENTENCES = {
  never_published: 'never published: nothing is loaded into Redis',
  tiers:
    'Redis: {available} available, {held} held, {sold} sold; Postgres: {heldInPostgres} held, {soldInPostgres} sold; total {total}',
  tiers_unlimited:
    'Redis: unlimited available, {held} held, {sold} sold; Postgres: {heldInPostgres} held, {soldInPostgres} sold; total unlimited',
  tiers_in_postgres: 'Postgres: {available} available, {held} held, {sold} sold; total {total}',
  tiers_in_postgres_unlimited: 'Postgres: unlimited available, {held} held, {sold} sold; total unlimited',
  committed: '{units} units committed in Postgres, total {total}',
  committed_unlimited: '{units} units committed in Postgres, total unlimited',
  deducted: '{units} units deducted, {live} in live orders, {inFlight} in flight',
  deducted_in_postgres: '{units} units deducted, {live} in live orders; the stock lives in Postgres',
  within_limit: 'no user has more than {limit}',
  matched: '{orders} orders, {purchases} accepted purchases, {inFlight} units in flight',
  matched_in_postgres: '{orders} orders, each written together with its purchase and its payment',
  found: '{purchases} accepted purchases, all found',
  paid_for: '{units} units paid for',
  records_differ:
    'Redis deducted held {held} and sold {sold}, its buyer records have held {countedHeld} and sold {countedSold}',
  records_too_different: 'Redis deducted {deducted} units, its buyer records have {counted}',
  over_limit_in_orders: '{userId} has {units} units in live orders, the limit is {limit}',
  over_limit_in_redis: '{userId} has {units} live units in Redis, the limit is {limit}',
  no_payment: 'order {orderNo} over {amountMinor} is {order} with no payment',
  wrong_payment:
    'order {orderNo} over {amountMinor} is {order} with a payment of {paidMinor} that is {payment}',
  books_agree: '{payments} payments are booked as their provider has them',
  unbooked:
    'the provider {provider} holds {theirMinor} {theirCurrency} for order {orderNo}, whose payment is {payment}, and nobody is going to ask',
  other_amount:
    'order {orderNo}: {ownMinor} {ownCurrency} booked as {payment}, the provider {provider} says {theirMinor} {theirCurrency}',
  not_held:
    'order {orderNo}: {ownMinor} {ownCurrency} booked as {payment}, the provider {provider} has no such money',
  sent_back_there:
    'order {orderNo} is paid with {ownMinor} {ownCurrency} that the provider {provider} has sent back',
  not_sent_back:
    'order {orderNo}: {ownMinor} {ownCurrency} booked as sent back, the provider {provider} still holds {theirMinor} {theirCurrency}',
  provider_silent: 'the provider {provider} could not be asked: {error}',
  not_a_number:
    'Redis has a tier that is not a number: available {available}, held {held}, sold {sold}, total {total}',
  negative: 'Redis has a negative tier: available {available}, held {held}, sold {sold}, total {total}',
  no_sum: 'Redis does not add up: available {available}, held {held}, sold {sold}, total {total}',
  negative_in_postgres: 'Postgres has a negative tier: held {held}, sold {sold}',
  counters_differ: 'Postgres counts held {held} + sold {sold}, its live orders have {live} units',
  sold_differs: 'Postgres counts {sold} sold, its paid orders have {paid} units',
  too_much_committed: 'held {held} + sold {sold} exceed the total of {total}',
  too_much_in_orders: 'live orders have {live} units, the total is {total}',
  totals_differ: 'the total is {inRedis} in Redis and {inPostgres} in Postgres',
  dealt_differs: 'the slices may sell {dealt} units, the total is {total}',
  slice_differs: 'slice {slice} has {inRedis} units in Redis and {inPostgres} in Postgres',
  deducted_differs: '{units} units are deducted in Postgres, its live orders have {live}',
  deducted_for_nothing: '{units} units were deducted for purchases that are no orders',
  not_written_together: 'order {orderNo} was not written together with its purchase',
  other_buyer: 'order {orderNo} belongs to {userId}, but {buyerId} made the purchase',
  no_purchase: 'order {orderNo} has no accepted purchase',
  other_purchase: 'order {orderNo} is not the purchase that was accepted (units or token differ)',
  other_state: 'order {orderNo} is {order} but its {units} units are {state}',
  sold_without_order: 'purchase {orderNo} is sold without an order',
  still_held: 'dead letter {orderNo} is recorded as released but its units are still held',
  released_without_order: 'purchase {orderNo} was released without an order or a recorded compensation',
  nowhere: 'accepted purchase {orderNo} of {userId} is nowhere',
  units_idle: '{units} units are for sale while {waiting} people wait for one',
  place_lost: '{userId} waits under number {number}, and Redis does not know it',
  place_unknown: '{userId} waits in Redis under number {number}, and Postgres does not know it',
  place_twice: 'number {number} of {userId} on the waitlist is another shopper’s too',
  passed_over: 'number {number} of {userId} got a unit while number {waiting} still waits',
  record_unreadable: 'the buyer record of {userId} cannot be read',
  purchase_twice: 'the buyer record of {userId} has the same purchase twice',
  draft_with_orders: 'a draft has {orders} orders',
  not_in_redis: 'Redis does not hold this {status} sale under epoch {epoch}',
  more: 'and {count} more',
} as const;

export type SentenceCode = keyof typeof SENTENCES;
export const SENTENCE_CODES = Object.keys(SENTENCES) as SentenceCode[];
