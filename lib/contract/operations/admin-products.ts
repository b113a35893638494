import { area } from '../operation';
import { catalogueImport, importedCatalogue } from '../shapes/catalogue';
import { MAX_IMPORT_BYTES, page, pageOf } from '../shapes/common';
import { newProduct, product, productEdit } from '../shapes/product';

export const adminProducts = area('Admin: products', 'Merchants see and change their own.');
const { operation } = adminProducts;

/** A description of 10,000 characters and thirty attributes exceed the 16 KiB that other operations allow. */
const MAX_BYTES = 64 * 1024;

export const listProducts = operation('GET /api/admin/products', {
  who: 'seeAdmin',
  says: 'Products, newest first.',
  query: page,
  answers: { 200: pageOf('products', product) },
});

export const createProduct = operation('POST /api/admin/products', {
  who: 'manageSales',
  says: 'A product of a shop. `imageUrl` is a path of this site or an http(s) address; at most 30 attributes. `pictures` are uploads; the first becomes `imageUrl`.',
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

export const importProducts = operation('POST /api/admin/products/import', {
  who: 'manageSales',
  says: 'Makes the products of a CSV file, with commas or semicolons, and drafts of their sales: slug, name, description, delivery (parcel or digital), sale (its title), price, list_price, currency, stock, limit, starts_at, ends_at (ISO 8601 with a zone). At most 1,000 lines. A product that the shop has stays as it is. If a line is wrong, nothing is made, and each cell at fault is named. The same file again makes nothing twice.',
  body: catalogueImport,
  maxBytes: MAX_IMPORT_BYTES,
  answers: { 200: importedCatalogue },
  errors: ['SHOP_NOT_FOUND'],
});
