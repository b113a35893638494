import 'server-only';
import { shardOf } from '@/lib/ids/shard-of';
import { Prisma } from '@/prisma/generated/client';

/** One part of what a person may take away. */
export type Section = {
  name: string;
  /** What its rows are, for the reader of the file. */
  says: string;
  /** The tables it reads; a test wants every table with a column for users here, or a reason why not. */
  tables: readonly string[];
  /**
   * Selects `key`, a text by which the rows are in order (numbers padded), and `data`, of one user. Never secrets, nor other
   * people's ids.
   */
  select: (userId: string) => Prisma.Sql;
};

/** All that is kept about a person under their account, in the order of the file. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'account',
    says: 'The account. Its password is kept as a hash only, which is not here.',
    tables: ['users'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('userId', id, 'email', email, 'name', name, 'role', role, 'level', level,
               'levelUntil', level_until, 'language', locale, 'timeZone', time_zone, 'mutedMails', muted_mails, 'createdAt', created_at, 'emailVerifiedAt', email_verified_at) AS data
      FROM users WHERE id = ${userId}`,
  },
  {
    name: 'emailChanges',
    says: 'Changes of the e-mail address that were asked for within about a week.',
    tables: ['email_changes'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('oldEmail', old_email, 'newEmail', new_email, 'askedAt', created_at,
               'appliedAt', applied_at, 'stoppedAt', stopped_at) AS data
      FROM email_changes WHERE user_id = ${userId}`,
  },
  {
    name: 'secondFactor',
    says: 'An app for one-time codes, and how many recovery codes are left.',
    tables: ['totp_factors', 'recovery_codes'],
    select: (userId) => Prisma.sql`
      SELECT t.user_id AS key, jsonb_build_object('kind', 'app', 'since', t.confirmed_at, 'recoveryCodes',
               (SELECT count(*) FROM recovery_codes c WHERE c.user_id = t.user_id)) AS data
      FROM totp_factors t WHERE t.user_id = ${userId} AND t.confirmed_at IS NOT NULL`,
  },
  {
    name: 'signIns',
    says: 'Sign-ins of other servers that open the account: the server, and the id that it has given you.',
    tables: ['identities'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('server', issuer, 'subject', subject, 'since', created_at) AS data
      FROM identities WHERE user_id = ${userId}`,
  },
  {
    name: 'passkeys',
    says: 'Passkeys that sign in to the account, with the names their owner gave them.',
    tables: ['passkeys'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('name', name, 'addedAt', created_at, 'lastUsedAt', last_used_at) AS data
      FROM passkeys WHERE user_id = ${userId}`,
  },
  {
    name: 'sessions',
    says: 'Where the account is or was signed in, until a day after the end of each session. Kind of browser as its owner sees it.',
    tables: ['sessions'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('browser', browser, 'createdAt', created_at, 'lastSeenAt', last_seen_at,
               'expiresAt', expires_at, 'endedAt', ended_at) AS data
      FROM sessions WHERE user_id = ${userId}`,
  },
  {
    name: 'pushBrowsers',
    says: 'Browsers that take notices by push: the service of each, without its secret address.',
    tables: ['push_subscriptions'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('service', split_part(endpoint, '/', 3), 'since', created_at) AS data
      FROM push_subscriptions WHERE user_id = ${userId}`,
  },
  {
    name: 'invitations',
    says: 'Invitations to the staff that made or changed the account.',
    tables: ['invitations'],
    select: (userId) => Prisma.sql`
      SELECT id AS key, jsonb_build_object('email', email, 'role', role, 'createdAt', created_at, 'usedAt', used_at) AS data
      FROM invitations WHERE user_id = ${userId}`,
  },
  {
    name: 'shops',
    says: 'Shops of whose members the account is one.',
    tables: ['shop_members'],
    select: (userId) => Prisma.sql`
      SELECT m.shop_id AS key, jsonb_build_object('shop', s.name, 'role', m.role, 'topics', m.topics, 'since', m.created_at) AS data
      FROM shop_members m JOIN shops s ON s.id = m.shop_id WHERE m.user_id = ${userId}`,
  },
  {
    name: 'orders',
    says: 'Orders with their payments and history. Amounts are in the smallest unit of the currency.',
    tables: ['orders', 'payments', 'order_events'],
    select: (userId) => Prisma.sql`
      SELECT lpad(o.id::text, 20, '0') AS key, jsonb_build_object('orderNo', o.id::text, 'sale', s.title, 'quantity', o.quantity,
               'unitPriceMinor', o.unit_price_minor, 'amountMinor', o.amount_minor, 'currency', o.currency,
               'status', o.status, 'endReason', o.end_reason, 'acceptedAt', o.accepted_at, 'payBy', o.pay_by,
               'paidAt', o.paid_at, 'cancelledAt', o.cancelled_at,
               'payment', (SELECT jsonb_build_object('provider', p.provider, 'status', p.status, 'amountMinor', p.amount_minor,
                                    'currency', p.currency, 'openedAt', p.opened_at, 'settledAt', p.settled_at,
                                    'refundedAt', p.refunded_at)
                           FROM payments p WHERE p.shard = o.shard AND p.order_id = o.id),
               'history', (SELECT coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'by', e.actor_kind, 'cause', e.cause,
                                    'from', e.from_status, 'to', e.to_status) ORDER BY e.id), '[]')
                           FROM order_events e WHERE e.shard = o.shard AND e.order_id = o.id)) AS data
      FROM orders o JOIN sales s ON s.id = o.sale_id
      WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId}`,
  },
  {
    name: 'deliveries',
    says: 'Where orders go or went, and how far their parcels are.',
    tables: ['deliveries'],
    select: (userId) => Prisma.sql`
      SELECT lpad(o.id::text, 20, '0') AS key, jsonb_build_object('orderNo', o.id::text, 'address', d.address, 'state', d.state,
               'carrier', d.carrier, 'trackingNumber', d.tracking_number, 'trackingUrl', d.tracking_url,
               'packedAt', d.packed_at, 'shippedAt', d.shipped_at, 'deliveredAt', d.delivered_at) AS data
      FROM orders o JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
      WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId}`,
  },
  {
    name: 'savedAddress',
    says: 'The address with which the form of the next order begins.',
    tables: ['saved_addresses'],
    select: (userId) => Prisma.sql`
      SELECT user_id AS key, jsonb_build_object('address', address, 'since', updated_at) AS data
      FROM saved_addresses WHERE user_id = ${userId}`,
  },
  {
    name: 'points',
    says: 'Points that orders earned and refunds took back.',
    tables: ['points_entries'],
    select: (userId) => Prisma.sql`
      SELECT lpad(id::text, 20, '0') AS key, jsonb_build_object('orderNo', order_id::text, 'kind', kind, 'points', points,
               'at', created_at) AS data
      FROM points_entries WHERE user_id = ${userId}`,
  },
  {
    name: 'reservations',
    says: 'Reservations in sales.',
    tables: ['reservations'],
    select: (userId) => Prisma.sql`
      SELECT r.sale_id AS key, jsonb_build_object('sale', s.title, 'reservedAt', r.reserved_at,
               'cancelledAt', r.cancelled_at) AS data
      FROM reservations r JOIN sales s ON s.id = r.sale_id WHERE r.user_id = ${userId}`,
  },
  {
    name: 'linesAndDraws',
    says: 'Places in waiting rooms and draws. Device and network are keyed hashes that only the shop can make.',
    tables: ['line_entries'],
    select: (userId) => Prisma.sql`
      SELECT l.sale_id || ' ' || lpad(l.number::text, 20, '0') AS key, jsonb_build_object('sale', s.title, 'number', l.number,
               'place', l.place, 'tickets', l.weight, 'device', l.device, 'network', l.network, 'joinedAt', l.joined_at,
               'enteredAt', l.entered_at, 'leftAt', l.left_at, 'passedOver', l.passed_over,
               'orderNo', l.order_no::text) AS data
      FROM line_entries l JOIN sales s ON s.id = l.sale_id WHERE l.user_id = ${userId}`,
  },
  {
    name: 'waitlists',
    says: 'Places among those who wait for units that come back.',
    tables: ['waitlist_entries'],
    select: (userId) => Prisma.sql`
      SELECT w.sale_id || ' ' || lpad(w.number::text, 20, '0') AS key, jsonb_build_object('sale', s.title, 'joinedAt', w.joined_at,
               'leftAt', w.left_at, 'givenAt', w.given_at, 'passedAt', w.passed_at, 'orderNo', w.order_no::text) AS data
      FROM waitlist_entries w JOIN sales s ON s.id = w.sale_id WHERE w.user_id = ${userId}`,
  },
  {
    name: 'campaignAllowances',
    says: 'How many units the account may have in each sale of a campaign.',
    tables: ['campaign_allowances'],
    select: (userId) => Prisma.sql`
      SELECT c.campaign_id || ' ' || c.sale_id AS key, jsonb_build_object('sale', s.title, 'units', c.units) AS data
      FROM campaign_allowances c JOIN sales s ON s.id = c.sale_id WHERE c.user_id = ${userId}`,
  },
  {
    name: 'notices',
    says: 'What the shop told the account inside the shop.',
    tables: ['notifications'],
    select: (userId) => Prisma.sql`
      SELECT lpad(id::text, 20, '0') AS key, jsonb_build_object('kind', kind, 'orderNo', nullif(order_id, 0)::text, 'data', data,
               'at', created_at, 'readAt', read_at) AS data
      FROM notifications WHERE user_id = ${userId}`,
  },
  {
    name: 'refusals',
    says: 'Entries and purchases that were refused within 30 days, and why.',
    tables: ['refusals'],
    select: (userId) => Prisma.sql`
      SELECT concat_ws(' ', r.sale_id, r.place, r.code, r.risk) AS key, jsonb_build_object('sale', s.title, 'place', r.place,
               'code', r.code, 'firstAt', r.first_at, 'lastAt', r.last_at, 'times', r.times) AS data
      FROM refusals r JOIN sales s ON s.id = r.sale_id WHERE r.user_id = ${userId}`,
  },
  {
    name: 'measures',
    says: 'Measures of rules against hoarders and scripts, and blocks of the account.',
    tables: ['risk_hits', 'blocks'],
    select: (userId) => Prisma.sql`
      SELECT 'rule ' || lpad(id::text, 20, '0') AS key, jsonb_build_object('kind', 'rule', 'at', created_at, 'until', expires_at,
               'endedAt', released_at) AS data
      FROM risk_hits WHERE kind = 'user' AND value = ${userId}
      UNION ALL
      SELECT 'block ' || lpad(id::text, 20, '0'), jsonb_build_object('kind', 'block', 'at', created_at, 'until', expires_at,
               'endedAt', lifted_at)
      FROM blocks WHERE kind = 'user' AND value = ${userId}`,
  },
  {
    name: 'securityLog',
    says: 'What happened to the account: sign-ins, failures, changes. The address is that of the client, as far as it was known.',
    tables: ['audit_entries'],
    select: (userId) => Prisma.sql`
      SELECT lpad(id::text, 20, '0') AS key, jsonb_build_object('at', at, 'action', action,
               'by', CASE WHEN actor_id = ${userId} THEN 'the account' WHEN actor_id = 'system' THEN 'the shop' ELSE 'staff' END,
               'address', nullif(after ->> 'address', ''), 'times', after -> 'count') AS data
      FROM audit_entries WHERE subject_kind = 'user' AND subject_id = ${userId}`,
  },
];
