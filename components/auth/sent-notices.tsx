import { getTranslations } from 'next-intl/server';
import { Notice } from '@/components/ui/notice';
import { FORM_NOTICES, noticeAnchor, SAID_WAITS_SEC } from '@/lib/http/form-notices';

/**
 * Holds one sentence for each way a form can come back to a browser without script. The page is the same for every
 * visitor, so the address chooses the sentence, after its #.
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
        <div key={id} id={id} className="hidden target:block">
          <Notice tone="danger">{text}</Notice>
        </div>
      ))}
    </noscript>
  );
}
