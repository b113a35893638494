/**
 * The faults that verify finds in a sale's decision log, waiting room, draw and waitlist. A test causes each of them by
 * hand once.
 */
export const FAULTS = {
  head_missing: 'its latest head is missing',
  head_unsigned: 'the head of {size} is not signed by a key of the shop',
  head_backdated: 'the head of {size} is older than the one before',
  log_forked: 'two heads of {size} leaves differ: the log was forked',
  leaf_missing: 'leaf {index} is missing',
  leaf_misfiled: 'leaf {index} is filed wrongly',
  leaves_changed: 'the leaves before {size} are not those that were signed',
  leaves_counted: 'it has {is} leaves, and should have {size}',
  leaves_gone: 'the leaves before {size} were signed, and some are gone',
  hashes_differ: 'the stored hashes are not those of the leaves',
  order_unlogged: 'order {order} has no leaf',
  order_logged_twice: 'order {order} has {times} leaves',
  order_of_another: 'order {order} is booked for {userId}, and was accepted for {who}',
  order_units: 'order {order} has {units} units, and {accepted} were accepted',
  order_gone: 'an order that was accepted for {who} is gone',
  line_promised: 'the line is {is}, and {was} was promised',
  order_made: 'the books have {is}, and the log {was}',
  decided_twice: '{what} was decided twice',
  place_gone: '{which} is gone: it is of {who}',
  place_taken_by_nobody: '{which} is booked for {userId}, and nobody took it',
  place_of_another: '{which} is booked for {userId}, and is of {who}',
  nonce_of_another: '{of} brought the nonce {was}, and {is} is booked',
  wish_of_another: '{of} wished variant {was}, and {is} is booked',
  order_of_place: '{of} is booked for order {order}, and was for another',
  place_was: '{of} was {was}, and is booked as {is}',
  place_was_not: '{of} is booked as {is}, and was not',
  drawn_for_another: 'place {place} was drawn for {userId}, and {other} waits for its order',
  drawn_for_another_wish: 'place {place} of {userId} was drawn for variant {variant}, and waits for {wished}',
  drawn_behind: 'place {place} of {userId} waits behind later places of the draw',
  numbers_given: '{joined} numbers were given, {there} are there, up to {next}',
  two_places: '{userId} has two places',
  joined_before: 'number {number} joined before lower ones',
  admitted_before: 'people were admitted before the shuffle',
  admitted_too_many: '{admitted} of {joined} admitted, {lapsed} lapsed',
  early_counted: '{early} counted as early, {came} joined before the start',
  digest_differs: 'the digest of the nonces is another',
  out_of_turn: 'number {number} came in out of turn',
  not_come_in: 'order {order} is of somebody who had not come in',
} as const;

export type Fault = keyof typeof FAULTS;

/** Says a fault in words. */
export const fault = (code: Fault, values: Record<string, string | number> = {}): string =>
  FAULTS[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
