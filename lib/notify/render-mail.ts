import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import type { MailParts } from './types';

/**
 * Makes the two forms of a mail, which say the same. The HTML loads nothing: no picture, font or script, so it looks the
 * same where those are blocked, and reports to nobody that it was opened. Text in the parts is never markup.
 */
export const renderMail = (parts: MailParts): { text: string; html: string } => ({
  text: toText(parts),
  html: toHtml(parts),
});

function toText({ locale, paragraphs, link, note, stop }: MailParts): string {
  const stopLine = stop && `${readMessages(locale).Mail.stop}\n${stop.page}`;
  const parts = [...paragraphs, link && `${link.label}\n${link.url}`, note, stopLine];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** Mail programs know little of a style sheet, so the light look stands at each element. The colours are the shop's. */
const STYLE = {
  page: 'margin:0;padding:24px 12px;background:#faf8f6;color:#1f1915;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei",sans-serif',
  card: 'max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #dedad5;border-radius:16px;border-collapse:separate',
  cell: 'padding:32px 32px 16px;overflow-wrap:anywhere',
  name: 'margin:0 0 24px;font-weight:700;color:#b22e00',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  paragraph: 'margin:0 0 16px',
  button: 'margin:24px 0;border-collapse:separate',
  buttonCell: 'border-radius:10px;background:#b22e00',
  buttonLink:
    'display:inline-block;padding:12px 24px;border-radius:10px;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 16px;font-size:14px;color:#615953',
  foot: 'max-width:560px;margin:16px auto 0;font-size:14px;color:#615953;text-align:center',
  address: 'color:inherit;word-break:break-all',
} as const;

const SHEET = [
  '@media (max-width:480px){.page{padding:12px 8px!important}.cell{padding:24px 20px 8px!important}}',
  '@media (prefers-color-scheme:dark){.page{background:#110f0d!important;color:#f1eeeb!important}',
  '.card{background:#1c1916!important;border-color:#36322e!important}.name{color:#fb7f4c!important}.small{color:#b0a9a3!important}}',
].join('');

const FRAME = '<table role="presentation" cellspacing="0" cellpadding="0" border="0"';

function toHtml({ locale, subject, paragraphs, link, note, stop }: MailParts): string {
  const { Mail: words, Meta } = readMessages(locale);
  const address = link && escapeHtml(link.url);
  const small = (markup: string) => `<p class="small" style="${STYLE.small}">${markup}</p>`;
  const lines = [
    `<!DOCTYPE html><html lang="${locale}" dir="ltr"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="format-detection" content="telephone=no">',
    `<title>${escapeHtml(subject)}</title><style>${SHEET}</style></head>`,
    `<body class="page" style='${STYLE.page}'>`,
    `${FRAME} width="100%" class="card" style="${STYLE.card}"><tr><td class="cell" style="${STYLE.cell}">`,
    `<p class="name" style="${STYLE.name}">${escapeHtml(Meta.name)}</p>`,
    `<h1 style="${STYLE.heading}">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map((part) => `<p style="${STYLE.paragraph}">${withBreaks(part)}</p>`),
    link && `${FRAME} style="${STYLE.button}"><tr><td style="${STYLE.buttonCell}">`,
    link &&
      `<a href="${address}" style="${STYLE.buttonLink}">${escapeHtml(link.label)}</a></td></tr></table>`,
    link && small(`<a href="${address}" style="${STYLE.address}">${address}</a>`),
    note && small(withBreaks(note)),
    '</td></tr></table>',
    stop &&
      `<p class="small" style="${STYLE.foot}"><a href="${escapeHtml(stop.page)}" style="color:inherit">${escapeHtml(words.stop)}</a></p>`,
    '</body></html>',
  ];
  return `${lines.filter((line) => line !== undefined).join('\n')}\n`;
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
