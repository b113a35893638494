import { z } from 'zod';
import { area } from '../operation';
import {
  addressChange,
  addressForm,
  addressStand,
  country,
  newAddress,
  orderAddress,
  savedAddresses,
} from '../shapes/address';

export const addresses = area(
  'Addresses',
  'Where parcels go. Only orders of products that are sent by parcel have an address; it is asked before they are paid.',
);
const { operation } = addresses;

export const readAddressForm = operation('GET /api/address-form', {
  who: 'user',
  says: 'What an address in a country consists of, and which countries there are.',
  query: z.object({ country }),
  answers: { 200: addressForm },
});

export const readOrderAddress = operation('GET /api/orders/{orderNo}/address', {
  who: 'user',
  says: "Where a shopper's order goes, and the addresses that the account keeps.",
  answers: { 200: addressStand },
  errors: ['ORDER_NOT_FOUND'],
});

export const putOrderAddress = operation('PUT /api/orders/{orderNo}/address', {
  who: 'user',
  says: "Says where a shopper's order goes, until it is packed. Its time to pay goes on. Checked by the form of the address's country. What the parcel costs there is added to the amount, while nothing was paid.",
  body: orderAddress,
  answers: { 200: addressStand },
  errors: [
    'ORDER_NOT_FOUND',
    'NO_PARCEL',
    'ADDRESS_FIXED',
    'NOT_SHIPPED_THERE',
    'SHIPPING_FIXED',
    'ORDER_NOT_WRITTEN',
  ],
});

export const listAddresses = operation('GET /api/account/addresses', {
  who: 'user',
  says: 'The addresses that the own account keeps; the form of the next order begins with the first.',
  answers: { 200: savedAddresses },
});

export const addAddress = operation('POST /api/account/addresses', {
  who: 'user',
  says: "Adds an address to the own account. Checked by the form of the address's country.",
  body: newAddress,
  answers: { 201: savedAddresses },
  errors: ['ADDRESSES_FULL', 'CREATED_OTHERWISE'],
});

export const changeAddress = operation('PUT /api/account/addresses/{addressId}', {
  who: 'user',
  says: 'Changes an address of the own account. Orders keep theirs.',
  body: addressChange,
  answers: { 200: savedAddresses },
  errors: ['ADDRESS_NOT_FOUND'],
});

export const removeAddress = operation('DELETE /api/account/addresses/{addressId}', {
  who: 'user',
  says: 'Removes an address from the own account. Orders keep theirs.',
  answers: { 200: savedAddresses },
  errors: ['ADDRESS_NOT_FOUND'],
});
