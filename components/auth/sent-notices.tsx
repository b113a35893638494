import { getTranslations } from 'next-intl/server';
import { Notice } from '@/components/ui/notice';
import { FORM_NOTICES, noticeAnchor, SAID_WAITS_SEC } from '@/lib/http/form-notices';

/**
 * For browsers without script: a sentence for each way in which a form can come back. The page is the same for everybody, so the
 * address says which one is shown, behind its #.
 */
export async function SentNotices() {
  const t = await getTranslations('Auth');
  const said = FORM_NOTICES.filter((notice) => notice !== 'wait').map((notice) => ({
    id: noticeAnchor(notice),
    text: t(`notices.${notice}`),
  }));
  const waits = SAID_WAITS_SEC.map((seconds) => ({
    id: noticeAnchor('wait', seconds * 1_000),
    text: t('waitLong', { seconds }),
  }));
  return (
    <noscript>
      {[...said, ...waits].map(({ id, text }) => (
        <Notice key={id} id={id} tone="danger" className="hidden target:flex">
          {text}
        </Notice>
      ))}
    </noscript>
  );
}
