import { routing } from '@/i18n/routing';
import { area } from '../operation';
import { catalogueImport, importedCatalogue } from '../shapes/catalogue';
import { MAX_IMPORT_BYTES, page, pageOf } from '../shapes/common';
import { newProduct, product, productEdit, productFilter } from '../shapes/product';

export const adminProducts = area('Admin: products', 'Merchants see and change their own.');
const { operation } = adminProducts;

/** In each language: a description of 10,000 characters and thirty attributes exceed the 16 KiB that other operations allow. */
const MAX_BYTES = 64 * 1024 * (1 + routing.locales.length);

export const listProducts = operation('GET /api/admin/products', {
  who: 'seeAdmin',
  says: 'Products, newest first, archived ones included unless `status` says otherwise. `q` is part of the name in any language, or an id or slug.',
  query: page.extend(productFilter.shape),
  side: { feature: 'search', fields: ['q'] },
  answers: { 200: pageOf('products', product) },
});

export const createProduct = operation('POST /api/admin/products', {
  who: 'manageSales',
  says: 'A product of a shop. `imageUrl` is a path of this site or an http(s) address; at most 30 attributes. `pictures` are uploads; the first becomes `imageUrl`. `texts` has texts by language; `name`, `description` and `attributes` are for the languages without.',
  body: newProduct,
  maxBytes: MAX_BYTES,
  answers: { 201: product },
  errors: ['SLUG_TAKEN', 'CREATED_OTHERWISE', 'SHOP_NOT_FOUND', 'MEDIA_NOT_FOUND'],
});

export const editProduct = operation('PATCH /api/admin/products/{productId}', {
  who: 'manageSales',
  says: 'Changes what is given, based on the version last seen; the pages that show it are renewed.',
  body: productEdit,
  maxBytes: MAX_BYTES,
  answers: { 200: product },
  errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'MEDIA_NOT_FOUND'],
});

export const archiveProduct = operation('POST /api/admin/products/{productId}/archive', {
  who: 'manageSales',
  says: 'No new sale sells it, and none of its drafts can be published. Not while a sale of it runs or is to come: the refusal names up to five of them. What was sold stays as it is.',
  answers: { 200: product },
  errors: ['NOT_FOUND', 'PRODUCT_IN_USE'],
});

export const reopenProduct = operation('POST /api/admin/products/{productId}/reopen', {
  who: 'manageSales',
  says: 'Undoes the archiving.',
  answers: { 200: product },
  errors: ['NOT_FOUND'],
});

export const importProducts = operation('POST /api/admin/products/import', {
  who: 'manageSales',
  says: 'Makes the products of a CSV file, with commas or semicolons, and drafts of their sales: slug, name, description, delivery (parcel or digital), weight_grams, tax_percent, sale (its title), price, list_price, currency, stock, limit, starts_at, ends_at (ISO 8601 with a zone); for each language also name, description and sale with its code behind them, such as `name_zh-CN`. At most 1,000 lines. A product that the shop has stays as it is; an archived one gets no sale. If a line is wrong, nothing is made, and each cell at fault is named. The same file again makes nothing twice.',
  body: catalogueImport,
  maxBytes: MAX_IMPORT_BYTES,
  answers: { 200: importedCatalogue },
  errors: ['SHOP_NOT_FOUND'],
});
