import 'server-only';
import { shardOf } from '@/lib/ids/shard-of';
import { Prisma } from '@/prisma/generated/client';

const { sql } = Prisma;

/** One part of the file with a person's own data. */
export type Section = {
  name: string;
  /** Says in the file what the rows are. */
  says: string;
  /** The tables it reads. A test wants each table that names users in a section, or on a list with a reason. */
  tables: readonly string[];
  /** One row of the file, as JSON. Never secrets, nor ids of other people. */
  row: Prisma.Sql;
  /** The tables and the condition that leaves one user's rows. */
  of: (userId: string) => Prisma.Sql;
  /** Orders the rows, each by another value. `number` where an index has it, so that any number of pages is cheap. */
  key: { kind: 'text' | 'number'; by: Prisma.Sql };
};

const text = (by: Prisma.Sql): Section['key'] => ({ kind: 'text', by });
const number = (by: Prisma.Sql): Section['key'] => ({ kind: 'number', by });

const ACCOUNT: readonly Section[] = [
  {
    name: 'account',
    says: 'Your account. The shop keeps your password only as a hash, which is not in this file.',
    tables: ['users'],
    row: sql`jsonb_build_object('userId', id, 'email', email, 'name', name, 'role', role,
      'level', (SELECT l.level FROM level_of(id, level) l), 'levelGiven', level, 'language', locale, 'timeZone', time_zone, 'mutedMails', to_jsonb(muted_mails), 'mailRefusedAt', mail_refused_at, 'createdAt', created_at, 'emailVerifiedAt', email_verified_at, 'secondFactorAt', second_factor_at)`,
    of: (userId) => sql`users WHERE id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'emailChanges',
    says: 'Changes of your e-mail address, kept for as long as the old address can undo them.',
    tables: ['email_changes'],
    row: sql`jsonb_build_object('oldEmail', old_email, 'newEmail', new_email, 'askedAt', created_at,
      'appliedAt', applied_at, 'stoppedAt', stopped_at)`,
    of: (userId) => sql`email_changes WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'sessions',
    says: 'Where you are or were signed in. Sessions are deleted a day after they end.',
    tables: ['sessions'],
    row: sql`jsonb_build_object('browser', browser, 'createdAt', created_at, 'lastSeenAt', last_seen_at,
      'expiresAt', expires_at, 'endedAt', ended_at)`,
    of: (userId) => sql`sessions WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'passkeys',
    says: 'Your passkeys. The keys themselves are not in this file.',
    tables: ['passkeys'],
    row: sql`jsonb_build_object('name', name, 'addedAt', created_at, 'lastUsedAt', last_used_at)`,
    of: (userId) => sql`passkeys WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'identities',
    says: 'Sign-in servers that open your account, and how each names you.',
    tables: ['identities'],
    row: sql`jsonb_build_object('server', issuer, 'subject', subject, 'addedAt', created_at)`,
    of: (userId) => sql`identities WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'invitations',
    says: 'Invitations to the staff that made or changed your account.',
    tables: ['invitations'],
    row: sql`jsonb_build_object('email', email, 'role', role, 'createdAt', created_at, 'usedAt', used_at)`,
    of: (userId) => sql`invitations WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'addresses',
    says: 'Addresses that your account keeps for your next orders.',
    tables: ['saved_addresses'],
    row: sql`jsonb_build_object('address', address, 'addedAt', created_at, 'usedAt', used_at)`,
    of: (userId) => sql`saved_addresses WHERE user_id = ${userId}`,
    key: text(sql`id`),
  },
  {
    name: 'shops',
    says: 'Shops in which you are a member, and as what.',
    tables: ['shops', 'shop_members'],
    row: sql`jsonb_build_object('shop', s.name, 'role', m.role, 'topics', to_jsonb(m.topics), 'since', m.created_at)`,
    of: (userId) => sql`shop_members m JOIN shops s ON s.id = m.shop_id WHERE m.user_id = ${userId}`,
    key: text(sql`m.shop_id`),
  },
  {
    name: 'securityLog',
    says: 'Events of your account: sign-ins, failures, changes. The address is that of the client, if it was known.',
    tables: ['audit_entries'],
    row: sql`jsonb_build_object('at', at, 'action', action, 'by', CASE actor_id WHEN subject_id THEN 'you' WHEN 'system' THEN 'the shop'
      ELSE 'staff' END, 'address', nullif(after ->> 'address', ''), 'times', after -> 'count')`,
    of: (userId) => sql`audit_entries WHERE subject_kind = 'user' AND subject_id = ${userId}`,
    key: number(sql`id`),
  },
];

const PURCHASES: readonly Section[] = [
  {
    name: 'orders',
    says: 'Your orders with payment and history. Amounts are in the smallest unit of the currency.',
    tables: ['orders', 'payments', 'order_events', 'refund_parts'],
    row: sql`jsonb_build_object('orderNo', o.id::text, 'sale', s.title, 'quantity', o.quantity, 'variant', v.name,
      'unitPriceMinor', o.unit_price_minor, 'amountMinor', o.amount_minor, 'currency', o.currency, 'status', o.status,
      'endReason', o.end_reason, 'acceptedAt', o.accepted_at, 'payBy', o.pay_by, 'paidAt', o.paid_at, 'cancelledAt', o.cancelled_at,
      'payment', (SELECT jsonb_build_object('provider', p.provider, 'status', p.status, 'amountMinor', p.amount_minor,
                    'currency', p.currency, 'openedAt', p.opened_at, 'settledAt', p.settled_at, 'refundedAt', p.refunded_at,
                    'refundedInParts', (SELECT coalesce(jsonb_agg(jsonb_build_object('amountMinor', r.amount_minor,
                      'askedAt', r.asked_at, 'sentAt', r.sent_at) ORDER BY r.nth), '[]')
                      FROM refund_parts r WHERE r.shard = p.shard AND r.order_id = p.order_id))
                  FROM payments p WHERE p.shard = o.shard AND p.order_id = o.id),
      'history', (SELECT coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'by', e.actor_kind, 'cause', e.cause,
                    'from', e.from_status, 'to', e.to_status) ORDER BY e.id), '[]')
                  FROM order_events e WHERE e.shard = o.shard AND e.order_id = o.id))`,
    of: (userId) => sql`orders o JOIN sales s ON s.id = o.sale_id
      LEFT JOIN sale_variants v ON v.sale_id = o.sale_id AND v.number = o.variant
      WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId}`,
    key: number(sql`o.id`),
  },
  {
    name: 'deliveries',
    says: 'Where your orders were sent, and how far they are. The address is forgotten some time after the last step.',
    tables: ['deliveries'],
    row: sql`jsonb_build_object('orderNo', d.order_id::text, 'address', d.address, 'step', d.step, 'carrier', d.carrier,
      'trackingNumber', d.tracking_number, 'trackingUrl', d.tracking_url, 'givenAt', d.created_at, 'packedAt', d.packed_at,
      'shippedAt', d.shipped_at, 'deliveredAt', d.delivered_at, 'returnedAt', d.returned_at)`,
    of: (userId) => sql`deliveries d JOIN orders o ON o.shard = d.shard AND o.id = d.order_id
      WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId}`,
    key: number(sql`d.order_id`),
  },
  {
    name: 'refusedAttempts',
    says: 'Entries and purchases that were refused, and why. They are deleted after 30 days.',
    tables: ['refusals'],
    row: sql`jsonb_build_object('sale', s.title, 'place', r.place, 'code', r.code, 'firstAt', r.first_at, 'lastAt', r.last_at,
      'times', r.times)`,
    of: (userId) => sql`refusals r JOIN sales s ON s.id = r.sale_id WHERE r.user_id = ${userId}`,
    key: text(sql`concat_ws(' ', r.sale_id, r.place, r.code, r.risk)`),
  },
  {
    name: 'points',
    says: 'Points that your orders earned and refunds took back.',
    tables: ['points_entries'],
    row: sql`jsonb_build_object('orderNo', order_id::text, 'kind', kind, 'points', points, 'at', created_at)`,
    of: (userId) => sql`points_entries WHERE user_id = ${userId}`,
    key: number(sql`id`),
  },
  {
    name: 'memberships',
    says: 'Memberships that you paid for. The points say whether an order was refunded; a membership ends with it.',
    tables: ['memberships'],
    row: sql`jsonb_build_object('orderNo', order_id::text, 'level', level, 'days', days, 'paidAt', paid_at)`,
    of: (userId) => sql`memberships WHERE user_id = ${userId}`,
    key: number(sql`order_id`),
  },
  {
    name: 'notices',
    says: 'Notices you got inside the shop.',
    tables: ['notifications'],
    row: sql`jsonb_build_object('kind', kind, 'orderNo', order_id::text, 'data', data, 'at', created_at, 'readAt', read_at)`,
    of: (userId) => sql`notifications WHERE user_id = ${userId}`,
    key: number(sql`id`),
  },
];

const PLACES: readonly Section[] = [
  {
    name: 'reservations',
    says: 'Your reservations in sales.',
    tables: ['reservations'],
    row: sql`jsonb_build_object('sale', s.title, 'reservedAt', r.reserved_at, 'cancelledAt', r.cancelled_at)`,
    of: (userId) => sql`reservations r JOIN sales s ON s.id = r.sale_id WHERE r.user_id = ${userId}`,
    key: text(sql`r.sale_id`),
  },
  {
    name: 'waitingRoomsAndDraws',
    says: 'Your places in waiting rooms and draws. Device and network are hashes that only the shop can make.',
    tables: ['line_entries'],
    row: sql`jsonb_build_object('sale', s.title, 'number', l.number, 'place', l.place, 'tickets', l.weight, 'device', l.device,
      'network', l.network, 'joinedAt', l.joined_at, 'enteredAt', l.entered_at, 'leftAt', l.left_at,
      'passedOver', l.passed_over, 'orderNo', l.order_no::text, 'variant', v.name)`,
    of: (userId) => sql`line_entries l JOIN sales s ON s.id = l.sale_id
      LEFT JOIN sale_variants v ON v.sale_id = l.sale_id AND v.number = l.variant WHERE l.user_id = ${userId}`,
    key: text(sql`l.sale_id || ' ' || l.number`),
  },
  {
    name: 'waitlists',
    says: 'Your places among those who wait for a unit to come back.',
    tables: ['waitlist_entries'],
    row: sql`jsonb_build_object('sale', s.title, 'joinedAt', w.joined_at, 'leftAt', w.left_at, 'givenAt', w.given_at,
      'passedAt', w.passed_at, 'orderNo', w.order_no::text, 'variant', v.name)`,
    of: (userId) => sql`waitlist_entries w JOIN sales s ON s.id = w.sale_id
      LEFT JOIN sale_variants v ON v.sale_id = w.sale_id AND v.number = w.variant WHERE w.user_id = ${userId}`,
    key: number(sql`w.order_no`),
  },
  {
    name: 'campaignShares',
    says: 'How many units of a campaign’s limit you may have in each of its sales.',
    tables: ['campaign_allowances'],
    row: sql`jsonb_build_object('sale', s.title, 'units', c.units)`,
    of: (userId) => sql`campaign_allowances c JOIN sales s ON s.id = c.sale_id WHERE c.user_id = ${userId}`,
    key: text(sql`c.campaign_id || ' ' || c.sale_id`),
  },
];

const MEASURES: readonly Section[] = [
  {
    name: 'riskHits',
    says: 'Hits of rules against hoarders and scripts.',
    tables: ['risk_hits'],
    row: sql`jsonb_build_object('at', created_at, 'until', expires_at, 'releasedAt', released_at, 'isTrial', dry_run)`,
    of: (userId) => sql`risk_hits WHERE kind = 'user' AND value = ${userId}`,
    key: number(sql`id`),
  },
  {
    name: 'blocks',
    says: 'Times in which you could not enter or buy.',
    tables: ['blocks'],
    row: sql`jsonb_build_object('at', created_at, 'until', expires_at, 'liftedAt', lifted_at)`,
    of: (userId) => sql`blocks WHERE kind = 'user' AND value = ${userId}`,
    key: number(sql`id`),
  },
];

/** Everything that Postgres keeps about a person under their account, in the order of the file. */
export const SECTIONS = [...ACCOUNT, ...PURCHASES, ...PLACES, ...MEASURES];
