import { z } from 'zod';
import { type Area, operation } from '../operation';
import { address, addressForm, addressStand, country, orderAddress, savedAddress } from '../shapes/address';

export const readAddressForm = operation({
  id: 'readAddressForm',
  method: 'GET',
  path: '/api/address-form',
  who: 'user',
  says: 'What an address in a country consists of, and which countries there are.',
  query: z.object({ country }),
  answers: { 200: addressForm },
});

export const readOrderAddress = operation({
  id: 'readOrderAddress',
  method: 'GET',
  path: '/api/orders/{orderNo}/address',
  who: 'user',
  says: 'Where an order of the shopper goes, and the address that the account keeps.',
  answers: { 200: addressStand },
  errors: ['ORDER_NOT_FOUND'],
});

export const putOrderAddress = operation({
  id: 'putOrderAddress',
  method: 'PUT',
  path: '/api/orders/{orderNo}/address',
  who: 'user',
  says: "Says where an order of the shopper goes, until it is packed. What the country's form asks for has to be there.",
  body: orderAddress,
  answers: { 200: addressStand },
  errors: ['ORDER_NOT_FOUND', 'NO_DELIVERY', 'ADDRESS_FIXED'],
});

export const readSavedAddress = operation({
  id: 'readSavedAddress',
  method: 'GET',
  path: '/api/account/address',
  who: 'user',
  says: 'The address with which the form of the next order begins; null: there is none.',
  answers: { 200: savedAddress },
});

export const putSavedAddress = operation({
  id: 'putSavedAddress',
  method: 'PUT',
  path: '/api/account/address',
  who: 'user',
  says: 'Keeps an address in the own account. Orders that have theirs stay as they are.',
  body: address,
  answers: { 200: savedAddress },
});

export const removeSavedAddress = operation({
  id: 'removeSavedAddress',
  method: 'DELETE',
  path: '/api/account/address',
  who: 'user',
  says: 'Forgets the address of the own account. Again changes nothing.',
  answers: { 200: savedAddress },
});

export const addresses: Area = {
  name: 'Addresses',
  says: 'Where what a shopper has bought goes. Only orders of products that are shipped have an address.',
  operations: [
    readAddressForm,
    readOrderAddress,
    putOrderAddress,
    readSavedAddress,
    putSavedAddress,
    removeSavedAddress,
  ],
};
