import { useLocale, useTranslations } from 'next-intl';
import { formatDuration } from '@/components/ui/format-duration';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { isolated } from '@/lib/human-text';
import type { SaleTerms } from './shown-sale';

/** For each way to admit people: the rule for a unit that comes back, then how to come by one. */
const RULES = {
  first_come: ['ruleReturn'],
  waiting_room: ['ruleReturn', 'ruleLine'],
  draw: ['ruleReturnDraw', 'ruleDraw'],
} as const satisfies Record<SaleAdmission, readonly string[]>;

/** Shows the limit per person, the time to pay and who may buy. */
export function SaleRules({ sale }: { sale: SaleTerms }) {
  const t = useTranslations('Sale');
  const locale = useLocale();
  const { limitPerUser, paymentWindowSec, minLevel, minAccountAgeSec, requireVerifiedEmail } = sale;
  const { reservation, challenge, campaign, admission, variants } = sale;
  const [ofReturns, ...ofAdmission] = RULES[admission];
  const payment = t('rulePayment', { time: formatDuration(paymentWindowSec, locale) });
  const who = [
    ...(minLevel > 0 ? [t('ruleLevel', { level: minLevel })] : []),
    ...(minAccountAgeSec > 0 ? [t('ruleAge', { time: formatDuration(minAccountAgeSec, locale) })] : []),
    ...(requireVerifiedEmail ? [t('ruleEmail')] : []),
  ];
  const rules = [
    t('ruleLimit', { count: limitPerUser }),
    ...(variants.length > 1 ? [t('ruleVariants')] : []),
    ...(campaign?.limitPerUser
      ? [t('ruleCampaign', { count: campaign.limitPerUser, title: isolated(campaign.title) })]
      : []),
    payment,
    t(ofReturns),
    ...(who.length > 0 ? who : [t('ruleEveryone')]),
    ...ofAdmission.map((rule) => t(rule)),
    ...(reservation ? [t('ruleReserved')] : []),
    ...(challenge === 'none' ? [] : [t(challenge === 'pow' ? 'ruleCalculation' : 'rulePuzzle')]),
  ];
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold text-xl">{t('rules')}</h2>
      <ul className="grid list-disc gap-1.5 pl-5 marker:text-muted">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  );
}
