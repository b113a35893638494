import { z } from 'zod';
import { MAX_SITE_TEXT_LENGTH, SITE_PAGES } from '../words/site-page';
import { language } from './account';
import { time } from './common';

/** Line breaks and tabs are the only control characters that a text needs. */
const IS_PLAIN = /^[\P{Cc}\n\r\t]*$/u;

const text = z.string().describe('Plain text; an empty line begins a paragraph. Empty: not written.');
const version = z.int().min(0).describe('Counts the changes; 0: never written.');

export const siteText = z
  .object({ locale: language, text, version, changedAt: time.nullable() })
  .meta({ id: 'SiteText' });
export type SiteText = z.output<typeof siteText>;

export const siteTexts = z
  .object({
    page: z.enum(SITE_PAGES),
    texts: z.array(siteText).describe('One for each language of the shop.'),
  })
  .meta({ id: 'SiteTexts' });
export type SiteTexts = z.output<typeof siteTexts>;

export const siteTextEdit = z.strictObject({
  locale: language,
  text: text
    .max(MAX_SITE_TEXT_LENGTH)
    .refine((value) => IS_PLAIN.test(value), 'no control characters but line breaks and tabs'),
  version: version.describe('As last seen; if it is another one by now, nothing is changed.'),
});
export type SiteTextEdit = z.output<typeof siteTextEdit>;
