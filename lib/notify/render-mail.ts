import 'server-only';
import { mailWords } from './mail-words';
import type { MailText } from './types';

type Rendered = { subject: string; text: string; html: string };

/**
 * Puts a mail into the two forms that it is sent in. The HTML needs nothing from elsewhere: no pictures, fonts or
 * scripts, so it looks the same where those are blocked, and nobody learns that it was opened.
 */
export function renderMail(said: MailText): Rendered {
  return { subject: said.subject, text: toPlain(said), html: toHtml(said) };
}

function toPlain({ locale, text, link, note, stop }: MailText): string {
  const parts = [
    text,
    link && (link.line ?? link.url),
    note,
    stop && `${mailWords(locale).stop}: ${stop.page}`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Every mail program knows tables and styles at the element; of a sheet many know little, so it only adds the dark look. */
const STYLE = {
  page: 'margin:0;padding:24px 12px;background:#faf8f6;color:#1f1915;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif',
  card: 'max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #dedad5;border-radius:16px;border-collapse:separate',
  name: 'margin:0 0 24px;font-weight:700;color:#b22e00',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:13px 24px;border-radius:10px;background:#b22e00;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 16px;font-size:14px;color:#615953;overflow-wrap:anywhere',
  foot: 'max-width:560px;margin:16px auto 0;font-size:13px;color:#615953;text-align:center',
  quiet: 'color:inherit',
} as const;
const DARK =
  '@media (prefers-color-scheme:dark){.page{background:#110f0d!important;color:#f1eeeb!important}.card{background:#1c1916!important;border-color:#36322e!important}.name{color:#ff8a5c!important}.small{color:#b0a9a3!important}}';

function toHtml({ locale, subject, text, link, note, stop }: MailText): string {
  const { shopName, stop: stopLabel } = mailWords(locale);
  const paragraphs = text.split(/\n{2,}/).filter((part) => part.trim() !== '');
  const small = [link && (link.line ?? link.url), note].filter((part) => part !== undefined);
  return [
    `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${DARK}</style></head>`,
    `<body class="page" style='${STYLE.page}'>`,
    `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" class="card" style="${STYLE.card}">`,
    '<tr><td style="padding:32px">',
    `<p class="name" style="${STYLE.name}">${escapeHtml(shopName)}</p>`,
    `<h1 style="${STYLE.heading}">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map((part) => `<p style="${STYLE.paragraph}">${withBreaks(part)}</p>`),
    link
      ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="${STYLE.button}">${escapeHtml(link.label)}</a></p>`
      : '',
    ...small.map((part) => `<p class="small" style="${STYLE.small}">${withBreaks(part)}</p>`),
    '</td></tr></table>',
    stop
      ? `<p class="small" style="${STYLE.foot}"><a href="${escapeHtml(stop.page)}" style="${STYLE.quiet}">${escapeHtml(stopLabel)}</a></p>`
      : '',
    '</body></html>\n',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const withBreaks = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>\n');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
