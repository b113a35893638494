'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { isOff, toOff } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { ReceiptLink } from '@/components/prove/receipt-link';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { ExplainedAttempt, Explanation } from '@/lib/contract/shapes/attempt';
import { formatOffset } from './format-offset';
import { WaitlistStories } from './waitlist-stories';

/** Asks again after this time: the shop records what happened within a second. */
const ASK_AGAIN_MS = 2_000;

/**
 * Answers the shopper's "Why?": when they came, what the shop answered, and how much was left. Never reveals one of
 * the shop's rules.
 */
export function WhyExplanation({ saleId, id }: { saleId: string; id: string }) {
  const t = useTranslations('Why');
  const problemText = useProblemText();
  const { data, error } = useQuery({
    queryKey: ['why', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/sales/{saleId}/why', { params: { saleId }, signal }).catch(toOff),
    staleTime: ASK_AGAIN_MS,
    refetchInterval: ({ state: { data } }) => {
      if (isOff(data)) return data.offForMs;
      return data?.attempts.length === 0 ? ASK_AGAIN_MS : false;
    },
  });
  return (
    <section id={id} aria-label={t('heading')} className="grid gap-2 rounded-xl bg-sunken px-4 py-3">
      <h2 className="font-semibold">{t('heading')}</h2>
      <div aria-live="polite" className="grid gap-2">
        {error ? <Notice tone="danger">{problemText(error)}</Notice> : null}
        {isOff(data) ? <Notice>{problemText('SWITCHED_OFF')}</Notice> : null}
        {data && !isOff(data) ? (
          <Story explanation={data} />
        ) : data || error ? null : (
          <p className="text-muted">{t('loading')}</p>
        )}
      </div>
    </section>
  );
}

function Story({ explanation }: { explanation: Explanation }) {
  const t = useTranslations('Why');
  const { attempts, waitlist, startsAt, isComplete } = explanation;
  const isEmpty = attempts.length + waitlist.length === 0;
  return (
    <>
      {isEmpty ? <p>{t('none')}</p> : null}
      <ul className="grid gap-2">
        {attempts.map((attempt) => (
          <li key={`${attempt.at} ${attempt.outcome === 'accepted' ? attempt.orderNo : attempt.code}`}>
            <AttemptLine attempt={attempt} explanation={explanation} />
          </li>
        ))}
      </ul>
      <WaitlistStories stories={waitlist} startsAt={startsAt} />
      {isEmpty ? null : <ReceiptLink saleId={explanation.saleId} />}
      {isComplete ? null : <p className="text-muted text-sm">{t('incomplete')}</p>}
    </>
  );
}

function AttemptLine({
  attempt,
  explanation: { startsAt, soldOutAt },
}: {
  attempt: ExplainedAttempt;
  explanation: Explanation;
}) {
  const t = useTranslations('Why');
  const locale = useLocale();
  const problemText = useProblemText();
  const offset = (at: number) =>
    t(at < startsAt ? 'before' : 'after', { time: formatOffset(at - startsAt, locale) });
  if (attempt.outcome === 'accepted') {
    const { at, orderNo } = attempt;
    return t.rich('accepted', {
      offset: offset(at),
      link: (words) => (
        <Link
          href={`/orders/${orderNo}`}
          prefetch={false}
          className="font-semibold underline underline-offset-4"
        >
          {words}
        </Link>
      ),
    });
  }
  const { at, lastAt, times, code, available } = attempt;
  const said = () => {
    if (code !== 'SOLD_OUT') return problemText(code);
    if (available !== null && available > 0) return t('tooFew', { available });
    return soldOutAt === null ? t('soldOut') : t('soldOutAt', { offset: offset(soldOutAt) });
  };
  return (
    <>
      {t('came', { offset: offset(at) })} {said()}
      {times > 1 ? ` ${t('again', { times, offset: offset(lastAt) })}` : null}
    </>
  );
}
