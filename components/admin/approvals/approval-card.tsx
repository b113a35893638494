'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { ListedApproval } from '@/lib/contract/shapes/approval';
import type { ApprovalStatus } from '@/lib/contract/words/approval';
import { isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';
import type messages from '@/messages/en.json';
import { ActionButton } from '../kit/action-button';
import { ReasonForm } from '../kit/reason-form';
import { together, useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';

const TONES: Record<ApprovalStatus, BadgeTone> = {
  pending: 'warning',
  approved: 'success',
  rejected: 'neutral',
  failed: 'danger',
  expired: 'neutral',
};

interface ApprovalCardProps {
  approval: ListedApproval;
  onChange: () => void;
}

/** Shows one request for approval: what it is, who asks and why, and how it ended. */
export function ApprovalCard({ approval, onChange }: ApprovalCardProps) {
  const t = useTranslations('AdminApprovals');
  const localDate = useLocalDate();
  const what = useWhat(approval);
  const outcomeWords = useOutcomeWords(approval);
  const { status, request, requestedBy, requestedByEmail, decidedBy, decidedByEmail, outcome } = approval;
  return (
    <Card className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-lg">{what}</h2>
        <Badge tone={TONES[status]}>{t(`states.${status}`)}</Badge>
      </div>
      <p>{t('reason', { reason: isolated(request.reason) })}</p>
      <p className="text-muted">
        {t('asked', { who: requestedByEmail ?? requestedBy, date: localDate(approval.requestedAt) })}{' '}
        {status === 'pending' ? t('until', { date: localDate(approval.expiresAt) }) : null}
        {decidedBy && approval.decidedAt !== null
          ? t('decided', { who: decidedByEmail ?? decidedBy, date: localDate(approval.decidedAt) })
          : null}
      </p>
      {outcome ? <p>{t('outcome', { outcome: outcomeWords(outcome) })}</p> : null}
      {status === 'pending' ? <Decision approval={approval} what={what} onChange={onChange} /> : null}
    </Card>
  );
}

/** Says what is asked for, in numbers. */
function useWhat({ request, saleTitle }: ListedApproval): string {
  const t = useTranslations('AdminApprovals');
  const locale = useLocale();
  if (request.kind === 'stock_increase')
    return t('stockIncrease', { count: request.delta, title: isolated(saleTitle) });
  const { kind, orderNo, amountMinor, currency } = request;
  return t(kind === 'refund' ? 'refund' : 'refundPart', {
    amount: formatMoney(amountMinor, currency, locale),
    orderNo,
    title: isolated(saleTitle),
  });
}

type Outcome = keyof (typeof messages)['AdminApprovals']['outcomes'];

/** Says why an approved action could not be done. The words of a person who said no are shown unchanged. */
function useOutcomeWords({ status }: ListedApproval): (outcome: string) => string {
  const t = useTranslations('AdminApprovals.outcomes');
  return (outcome) => {
    const key = outcome.replaceAll(' ', '_') as Outcome;
    return status === 'failed' && t.has(key) ? t(key) : outcome;
  };
}

function Decision({ approval, what, onChange }: ApprovalCardProps & { what: string }) {
  const t = useTranslations('AdminApprovals');
  const done = useTranslations('AdminDone');
  const mayDecide = useMayInShop(approval.request.kind === 'stock_increase' ? 'stock' : 'refunds');
  const { approvalId, isOwn } = approval;
  const params = { id: approvalId };
  const settings = {
    says: ({ status }: { status: ApprovalStatus }) => ({
      text: done(status === 'rejected' && isOwn ? 'approval.withdrawn' : `approval.${status}`),
    }),
    refresh: onChange,
  };
  const approve = useAction('POST /api/admin/approvals/{id}/approve', settings);
  const reject = useAction('POST /api/admin/approvals/{id}/reject', settings);
  const either = together(approve, reject);
  if (!mayDecide) return null;
  return (
    <div className="grid gap-3">
      {isOwn ? <p>{t('own')}</p> : null}
      <ReasonForm
        action={either}
        label={t('why')}
        button={t(isOwn ? 'withdraw' : 'reject')}
        onSend={(body) => reject.mutate({ params, body })}
        beside={
          isOwn ? null : (
            <ActionButton
              action={either}
              tone="primary"
              ask={{ title: t('approveTitle'), text: what }}
              onPress={() => approve.mutate({ params })}
            >
              {t('approve')}
            </ActionButton>
          )
        }
      />
    </div>
  );
}
