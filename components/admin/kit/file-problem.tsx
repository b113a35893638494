import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';

/** Says why a file was refused as a whole: what can't be read in it, or what went wrong. Shows nothing without an error. */
export function FileProblem({ error }: { error: unknown }) {
  const t = useTranslations('Admin');
  const problemText = useProblemText();
  if (!error) return null;
  const [field] = error instanceof ApiProblem ? error.fields : [];
  return (
    <Notice tone="danger" role="alert">
      {field ? t('fileUnreadable', { reason: field.message }) : problemText(error)}
    </Notice>
  );
}
