import 'server-only';
import { openIdAddress } from '@/lib/account/identities/openid-provider';
import { nowMs } from '@/lib/clock';
import type { Check, SetupCheck } from '@/lib/contract/shapes/preflight';
import type { SetupCheckId } from '@/lib/contract/words/preflight';
import { STAFF_ROLES } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { checkMediaStore } from '@/lib/media/check-media-store';
import { movesMoney, usualProvider } from '@/lib/payment/providers/providers';
import { isPrivateHost } from '@/lib/setting-kinds';
import { readLastBackup } from './backup-note';
import { failed, passed } from './make-check';

type Settings = ReturnType<typeof env>;
type Facts = {
  /** Operators and admins who can sign in. */
  approvers: number;
  /** Members of staff who can sign in by a password alone. */
  withoutFactor: number;
  /** The sign-in server of the settings, if any, names itself as they do. */
  isIssuerRight: boolean;
  /** The store of pictures takes a file and gives it back. */
  keepsPictures: boolean;
  /** When the last backup was written; null: none was. */
  backupAt: Date | null;
  now: number;
};

const DAY_MS = 86_400_000;
const SIGN_IN_SERVER_WITHIN_MS = 3_000;
/** An older backup would lose more than a week. */
const BACKUP_DAYS = 7;
/** One asks, another one agrees. */
const APPROVERS = 2;

/** Checks the settings of this process, the staff and the backups of a shop. @throws connection errors */
export async function checkShop(): Promise<SetupCheck[]> {
  const canSignIn = { bannedAt: null, isDemo: false };
  const [approvers, withoutFactor, backupAt, isIssuerRight, keepsPictures] = await Promise.all([
    db().user.count({ where: { role: { in: ['operator', 'admin'] }, ...canSignIn } }),
    db().user.count({ where: { role: { in: [...STAFF_ROLES] }, secondFactorAt: null, ...canSignIn } }),
    readLastBackup(),
    checkIssuer(env()),
    checkMediaStore(),
  ]);
  const facts = { approvers, withoutFactor, isIssuerRight, keepsPictures, backupAt, now: nowMs() };
  return judgeShop(env(), facts);
}

/** Judges the settings and facts of a shop. Puts no secret, and no address that may hold one, into its answer. */
export const judgeShop = (settings: Settings, facts: Facts): SetupCheck[] => [
  ...checkFront(settings),
  checkPayments(settings),
  checkSignInServer(settings, facts),
  checkMailServer(settings),
  checkAlerts(settings),
  checkPictures(settings, facts),
  checkBackup(facts),
  ...checkKeys(settings),
  ...checkStaff(settings, facts),
];

function checkPayments(settings: Settings): SetupCheck {
  const usual = usualProvider(settings);
  const isSandbox = usual.name === 'sandbox';
  const wrong: Wrong = isSandbox
    ? [
        'stop',
        'sandbox',
        'The sandbox takes the payments, and moves no money (PAYMENT_PROVIDER, and its keys).',
      ]
    : ['stop', 'test_key', `The key of ${usual.brand} is one for tests, and moves no money.`];
  return judge('payment', !movesMoney(usual, settings) && wrong, 'A provider takes the payments.', {
    found: isSandbox ? null : usual.brand,
  });
}

async function checkIssuer({ openId }: Settings): Promise<boolean> {
  if (!openId) return true;
  try {
    const signal = AbortSignal.timeout(SIGN_IN_SERVER_WITHIN_MS);
    const response = await fetch(openIdAddress(openId.issuer), { signal, redirect: 'error' });
    return ((await response.json()) as { issuer?: unknown } | null)?.issuer === openId.issuer;
  } catch {
    return false;
  }
}

function checkSignInServer({ openId }: Settings, { isIssuerRight }: Facts): SetupCheck {
  const found = openId && hostOf(openId.issuer);
  return judge(
    'sign_in_server',
    !isIssuerRight && ['warn', 'away', `${found} does not answer as OIDC_ISSUER names it.`],
    openId ? `${openId.name} signs people in.` : 'No other server signs people in.',
    { values: { servers: openId ? 1 : 0 }, found },
  );
}

/** Checks that mails leave this machine. */
export const checkMailServer = ({ smtpUrl }: Pick<Settings, 'smtpUrl'>): SetupCheck =>
  judge(
    'mail',
    smtpUrl === undefined && ['stop', 'not_sent', 'Mails are files on this machine (SMTP_URL is not set).'],
    'Mails are sent.',
    { found: smtpUrl === undefined ? null : hostOf(smtpUrl) },
  );

function checkFront({ isDemo, publicUrl, isHttps, trustProxyHops: hops }: Settings): SetupCheck[] {
  const isPublic = isHttps && !isPrivateHost(publicUrl);
  return [
    judge(
      'demo',
      isDemo && ['stop', 'on', 'This is a demo: its passwords are public.'],
      'This shop is no demo.',
    ),
    judge(
      'address',
      !isPublic && ['stop', 'local', `${publicUrl} is no public https address (NEXTAUTH_URL).`],
      'Shoppers come by https.',
      { found: publicUrl },
    ),
    judge(
      'proxy',
      hops === 0 && ['warn', 'none', 'Behind a proxy all shoppers would share one address (TRUST_PROXY).'],
      'Proxies in front are known.',
      { values: { hops } },
    ),
  ];
}

function checkAlerts({ alertEmailTo, alertWebhook }: Settings): SetupCheck {
  const to = [...alertEmailTo, ...(alertWebhook ? [hostOf(alertWebhook.url)] : [])];
  return judge(
    'alerts',
    to.length === 0 && ['stop', 'none', 'Alerts are shown in the admin area alone (ALERT_EMAIL_TO).'],
    'Alerts go out.',
    { found: to.join(', ') || null },
  );
}

function checkPictures({ mediaBucket }: Settings, { keepsPictures }: Facts): SetupCheck {
  const found = mediaBucket?.name ?? null;
  return judge(
    'pictures',
    !keepsPictures && ['stop', 'refused', 'No picture can be stored (MEDIA_BUCKET or MEDIA_DIR).'],
    'Pictures are stored.',
    { values: { buckets: mediaBucket ? 1 : 0 }, found },
  );
}

function checkBackup({ backupAt, now }: Facts): SetupCheck {
  if (!backupAt) return judge('backup', ['stop', 'never', 'No backup was ever written (npm run backup).']);
  const days = Math.floor((now - backupAt.getTime()) / DAY_MS);
  return judge(
    'backup',
    days >= BACKUP_DAYS && ['stop', 'old', `The last backup is ${days} days old (npm run backup).`],
    'There is a backup.',
    { values: { days }, found: backupAt.toISOString() },
  );
}

function checkKeys(settings: Settings): SetupCheck[] {
  const keys = {
    NEXTAUTH_SECRET: settings.nextAuthSecrets,
    ENTRY_SECRET: settings.entrySecrets,
    INTERNAL_SECRET: settings.internalSecrets,
  };
  const changing = Object.entries(keys).flatMap(([name, { length }]) => (length > 1 ? [name] : []));
  const names = changing.join(', ') || null;
  return [
    judge(
      'secrets',
      names !== null && ['warn', 'changing', `Two values are good for ${names}.`],
      'Every secret is set, and has one value.',
      { found: names },
    ),
    judge(
      'signing_key',
      settings.logSigningKey === undefined && ['warn', 'none', 'Decisions are not logged (LOG_SIGNING_KEY).'],
      'The logs of decisions are signed.',
    ),
  ];
}

function checkStaff(
  { approvalStockUnits, approvalRefundMinor }: Settings,
  { approvers, withoutFactor }: Facts,
): SetupCheck[] {
  const areNeeded = approvalStockUnits !== null || approvalRefundMinor !== null;
  return [
    judge(
      'approvers',
      areNeeded &&
        approvers < APPROVERS && ['warn', 'few', `Operators and admins: ${approvers} of ${APPROVERS}.`],
      'Large changes can be approved.',
      { values: { approvers } },
    ),
    judge(
      'second_factor',
      withoutFactor > 0 && ['warn', 'missing', `Staff who sign in by a password alone: ${withoutFactor}.`],
      'All staff sign in with a second factor.',
      { values: { withoutFactor } },
    ),
  ];
}

type Wrong = [severity: Check['severity'], reason: string, detail: string];

function judge(
  id: SetupCheckId,
  wrong: Wrong | false,
  right = '',
  { values = {}, found = null }: { values?: Record<string, number>; found?: string | null } = {},
): SetupCheck {
  if (!wrong) return { ...passed(id, right, values), found };
  const [severity, reason, detail] = wrong;
  return { ...failed(severity, id, reason, detail, values), found };
}

/** Paths and queries of addresses may hold tokens, and user names passwords: only the host is shown. */
const hostOf = (url: string): string => new URL(url).host;
