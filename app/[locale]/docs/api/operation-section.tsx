import { getTranslations } from 'next-intl/server';
import type { Answer, DocumentedOperation, ListedOperation } from '@/app/openapi/document';
import { toRows } from '@/app/openapi/to-rows';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { ROLES } from '@/lib/contract/words/roles';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { FieldTable } from './field-table';
import { Says } from './says';

/** Documents one operation: what it does, who may call it, what to send and what comes back. */
export async function OperationSection({ method, path, operation }: ListedOperation) {
  const t = await getTranslations('ApiDocs');
  const { operationId, description, parameters, requestBody, responses } = operation;
  const codes = Object.values(responses).flatMap(codesOf);
  const parameterRows = parameters.flatMap(({ name, required, schema, description: about }) =>
    toRows({ ...schema, description: about }, name, required),
  );
  return (
    <Card className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-6">
      <div>
        <h2 id={operationId} className="scroll-mt-4 font-semibold text-lg">
          {operationId}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <Badge className="font-mono">{method.toUpperCase()}</Badge>
          <code className="min-w-0 [overflow-wrap:anywhere]">{path}</code>
        </p>
      </div>
      <p>
        <Says text={description} />
      </p>
      <p className="text-sm">
        <span className="text-muted">{t('who')}:</span> {whoOf(operation, t)}
      </p>
      {parameterRows.length > 0 ? (
        <Part title={t('parameters')}>
          <FieldTable caption={`${operationId}: ${t('parameters')}`} rows={parameterRows} />
        </Part>
      ) : null}
      {requestBody ? (
        <Part title={requestBody.required ? t('body') : `${t('body')} (${t('optional')})`}>
          <Content title={`${operationId}: ${t('body')}`} content={requestBody.content} />
        </Part>
      ) : null}
      {Object.entries(responses)
        .filter(([, answer]) => codesOf(answer).length === 0)
        .map(([status, { content, description: about }]) => (
          <Part key={status} title={t('answer', { status })}>
            <Content title={`${operationId}: ${status}`} content={content} about={about} />
          </Part>
        ))}
      {codes.length > 0 ? (
        <Part title={t('refusals')}>
          <p className="text-muted text-sm">
            {codes.map((code) => `${ERROR_CODES[code].status}\u00a0${code}`).join(' · ')}
          </p>
        </Part>
      ) : null}
    </Card>
  );
}

/** Returns the error codes an answer may carry; an empty list for an answer that is no refusal. */
function codesOf({ content }: Answer): ErrorCode[] {
  const [, own] = content['application/problem+json']?.schema.allOf ?? [];
  const { code } = ((own as { properties?: object })?.properties ?? {}) as { code?: { enum: ErrorCode[] } };
  return code?.enum ?? [];
}

type Words = Awaited<ReturnType<typeof getTranslations<'ApiDocs'>>>;

function whoOf({ security, 'x-roles': roles }: DocumentedOperation, t: Words): string {
  if (roles) return roles.length === ROLES.length ? t('anyUser') : t('session', { roles: roles.join(', ') });
  const schemes = security.flatMap(Object.keys);
  if (schemes.length === 0) return t('everybody');
  if (schemes.includes('webhookSignature')) return t('signature');
  return schemes.includes('session') ? t('sessionOrEntryToken') : t('entryToken');
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <h3 className="mb-1 font-medium">{title}</h3>
    {children}
  </div>
);

function Content({ title, content, about }: { title: string; content: Answer['content']; about?: string }) {
  return Object.entries(content).map(([mediaType, { schema }]) =>
    mediaType === 'application/json' ? (
      <FieldTable key={mediaType} caption={title} rows={toRows(schema)} />
    ) : (
      <p key={mediaType} className="text-sm">
        <code>{mediaType}</code>: <Says text={about ?? ''} />
      </p>
    ),
  );
}
