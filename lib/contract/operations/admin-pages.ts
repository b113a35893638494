import { type Area, operation } from '../operation';
import { siteText, siteTextEdit, siteTexts } from '../shapes/site-page';

export const readSiteTexts = operation({
  id: 'readSiteTexts',
  method: 'GET',
  path: '/api/admin/pages/{page}',
  who: 'manageSite',
  says: 'The texts of a page of the footer, `terms`, `privacy` or `contact`, in every language.',
  answers: { 200: siteTexts },
  errors: ['NOT_FOUND'],
});

export const writeSiteText = operation({
  id: 'writeSiteText',
  method: 'PUT',
  path: '/api/admin/pages/{page}',
  who: 'manageSite',
  says: 'Writes a page in one language, based on the version last seen; an empty text takes it back. The page is new for everybody within seconds. The same text again changes nothing.',
  body: siteTextEdit,
  answers: { 200: siteText },
  errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
  // A text of the greatest length, in the longest encoding that JSON has.
  maxBytes: 320 * 1024,
});

export const adminPages: Area = {
  name: 'Admin: pages',
  says: 'Terms, privacy and contact: pages with the shop’s own words. The footer links to those that are written in any language; a language without its own text shows another one.',
  operations: [readSiteTexts, writeSiteText],
};
